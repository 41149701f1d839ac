//! GPT-2's way to write bytes as printable characters, which `tokenizer.json` and `vocab.json` use.
//!
//! A byte that is a printable character of Latin-1 stands for itself; the others, in order, get U+0100 and up.

/// The character of each byte.
pub const CHARS: [char; 256] = chars();

const fn is_printable(byte: u8) -> bool {
    matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff)
}

const fn chars() -> [char; 256] {
    let mut chars = ['\0'; 256];
    let (mut byte, mut next) = (0, 0x100u32);
    while byte < 256 {
        chars[byte] = if is_printable(byte as u8) {
            byte as u8 as char
        } else {
            next += 1;
            match char::from_u32(next - 1) {
                Some(c) => c,
                None => unreachable!(),
            }
        };
        byte += 1;
    }
    chars
}

/// The byte of each character up to the highest one of the alphabet.
const BYTES: [Option<u8>; 0x144] = {
    let mut bytes = [None; 0x144];
    let mut byte = 0;
    while byte < 256 {
        bytes[CHARS[byte] as usize] = Some(byte as u8);
        byte += 1;
    }
    bytes
};

/// Bytes as characters.
pub fn write(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| CHARS[usize::from(byte)]).collect()
}

/// Characters as bytes, `None` where one is outside the alphabet.
pub fn read(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|c| BYTES.get(c as usize).copied().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(read(&write(&all)).unwrap(), all);
        assert_eq!(write(b" \n\xad!\xff"), "ĠĊŃ!ÿ");
        assert_eq!(read("世"), None);
    }
}

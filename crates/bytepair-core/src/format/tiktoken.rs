//! `.tiktoken`: a line for each token, its bytes in base64 and its rank. Pattern and special tokens are not in it.

use base64::engine::general_purpose::STANDARD;
use base64::Engine;

use crate::bpe::merges::Merges;
use crate::bpe::Bpe;
use crate::error::{Error, Result};
use crate::vocab::Vocab;

const FORMAT: &str = ".tiktoken";

pub fn read(data: &[u8]) -> Result<Bpe> {
    let mut tokens = Vec::with_capacity(data.len() / 16);
    let mut lines = Vec::with_capacity(tokens.capacity());
    for (line, number) in data.split(|&byte| byte == b'\n').zip(1..) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !line.is_empty() {
            tokens.push(read_line(line).map_err(|reason| fault(Some(number), reason))?);
            lines.push(number);
        }
    }
    if tokens.is_empty() {
        return Err(fault(None, "the file holds no tokens".to_owned()));
    }
    let vocab = Vocab::new(tokens.iter().map(|(id, token)| (*id, &token[..]))).map_err(|error| {
        // Name the later of two lines that clash.
        let at = match &error {
            Error::DuplicateId { id, .. } => tokens.iter().rposition(|(other, _)| other == id),
            Error::DuplicateToken { token, .. } => tokens.iter().rposition(|(_, other)| other == token),
            _ => None,
        };
        fault(at.map(|at| lines[at]), error.to_string())
    })?;
    Ok(Bpe::from_ranks(vocab))
}

fn fault(line: Option<usize>, reason: String) -> Error {
    Error::Format { format: FORMAT, line, reason }
}

fn read_line(line: &[u8]) -> std::result::Result<(u32, Vec<u8>), String> {
    let shown = crate::error::Shown(line);
    let [token, rank] = line.split(|&byte| byte == b' ').collect::<Vec<_>>()[..] else {
        return Err(format!("expected a token in base64, a blank and a rank, not {shown}; is the file cut short?"));
    };
    let rank = std::str::from_utf8(rank).ok().and_then(|rank| rank.parse().ok());
    let rank = rank.ok_or_else(|| format!("the rank in {shown} is no whole number from 0 to {}", u32::MAX))?;
    // Python's decoder reads a lone `=` as no bytes at all, and Whisper's vocabulary has such a token.
    let token = if token == b"=" { Ok(Vec::new()) } else { STANDARD.decode(token) };
    Ok((rank, token.map_err(|error| format!("the token in {shown} is not base64 ({error})"))?))
}

/// Ranks hold a model only if its merges are those that the ranks imply.
pub fn write(model: &Bpe) -> Result<Vec<u8>> {
    let implied = Merges::from_ranks(&model.vocab);
    let differs = |what: String| Error::CannotHold { format: FORMAT, what };
    let (own, implied) = (model.merges.list(), implied.list());
    if own != implied {
        let at = own.iter().zip(implied).take_while(|(a, b)| a == b).count();
        let example = own.get(at).or(implied.get(at)).map(|merge| model.vocab.bytes_of(merge.id));
        let token = crate::error::Shown(example.unwrap_or_default()).to_string();
        return Err(differs(format!(
            "these merges: its ranks are ids, and by them the token {token} would form in another way or order"
        )));
    }
    let orphans = model.vocab.iter().filter(|(_, token)| token.len() > 1).count() > own.len();
    if orphans && !model.whole {
        return Err(differs("tokens that no merge makes and that must not be looked up whole".to_owned()));
    }
    let mut lines = Vec::new();
    for (id, token) in model.vocab.iter() {
        let token = if token.is_empty() { "=".to_owned() } else { STANDARD.encode(token) };
        lines.extend_from_slice(format!("{token} {id}\n").as_bytes());
    }
    Ok(lines)
}

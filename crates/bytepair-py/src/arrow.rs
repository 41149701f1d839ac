//! Ids of many texts as an Arrow `LargeList<uint16 | uint32>`, in NumPy's own buffers: the C data interface in
//! PyCapsules. A consumer may move any struct out of its capsule, and call `release` at any time and on any thread.

use std::ffi::{c_char, c_void, CStr};
use std::ptr::{self, null, null_mut};

use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// "May be null", as the lists of other libraries have it; so the types are equal to theirs. Nothing is null here.
const NULLABLE: i64 = 2;

/// `struct ArrowSchema` of the C data interface.
#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray` of the C data interface.
#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

// SAFETY: the structs own what they point to, nobody else changes it, and `release` may run on any thread.
unsafe impl Send for ArrowSchema {}
// SAFETY: as for `ArrowSchema`; the Python objects in `ArrayParts` are let go with the GIL.
unsafe impl Send for ArrowArray {}

/// What a schema's pointers point to: at most one child.
struct SchemaParts {
    child: Option<Box<ArrowSchema>>,
    children: [*mut ArrowSchema; 1],
}

/// What an array's pointers point to: no bitmap of nulls, then the one buffer, which belongs to `owner`.
struct ArrayParts {
    owner: Option<Py<PyAny>>,
    buffers: [*const c_void; 2],
    child: Option<Box<ArrowArray>>,
    children: [*mut ArrowArray; 1],
}

impl ArrowSchema {
    /// Without a child: numbers. With one: a list of it.
    fn new(format: &'static CStr, name: &'static CStr, child: Option<Self>) -> Self {
        let mut parts = Box::new(SchemaParts { child: child.map(Box::new), children: [null_mut()] });
        if let Some(child) = &mut parts.child {
            parts.children[0] = ptr::from_mut(child);
        }
        let n_children = i64::from(parts.child.is_some());
        let parts = Box::into_raw(parts);
        Self {
            format: format.as_ptr(),
            name: name.as_ptr(),
            metadata: null(),
            flags: NULLABLE,
            n_children,
            // SAFETY: `parts` comes from `Box::into_raw` and is freed by `release_schema` alone.
            children: if n_children == 0 { null_mut() } else { unsafe { (*parts).children.as_mut_ptr() } },
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: parts.cast(),
        }
    }
}

impl ArrowArray {
    /// `length` numbers in `data`, or with a child as many lists of its items; `owner` keeps `data` alive.
    fn new(length: usize, data: *const c_void, owner: Py<PyAny>, child: Option<Self>) -> Self {
        let mut parts = Box::new(ArrayParts {
            owner: Some(owner),
            buffers: [null(), data],
            child: child.map(Box::new),
            children: [null_mut()],
        });
        if let Some(child) = &mut parts.child {
            parts.children[0] = ptr::from_mut(child);
        }
        let n_children = i64::from(parts.child.is_some());
        let parts = Box::into_raw(parts);
        Self {
            length: length as i64,
            null_count: 0,
            offset: 0,
            n_buffers: 2,
            n_children,
            // SAFETY: `parts` comes from `Box::into_raw` and is freed by `release_array` alone.
            buffers: unsafe { (*parts).buffers.as_mut_ptr() },
            // SAFETY: as above.
            children: if n_children == 0 { null_mut() } else { unsafe { (*parts).children.as_mut_ptr() } },
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: parts.cast(),
        }
    }
}

/// A struct that was not moved away (its `release` is still set) releases what it owns; so a capsule that nobody
/// consumed leaks nothing, and neither does a parent whose child was moved away.
impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: `self` is a valid struct that was not released yet.
            unsafe { release(self) };
        }
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: `self` is a valid struct that was not released yet.
            unsafe { release(self) };
        }
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller passes a struct made by `ArrowSchema::new`, perhaps moved, and not released yet: its
    // `private_data` is the `SchemaParts` that `new` leaked. Dropping them releases the child, if it is still there.
    unsafe {
        (*schema).release = None;
        drop(Box::from_raw((*schema).private_data.cast::<SchemaParts>()));
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as in `release_schema`.
    let mut parts = unsafe {
        (*array).release = None;
        Box::from_raw((*array).private_data.cast::<ArrayParts>())
    };
    let owner = parts.owner.take();
    // Without the GIL (or an interpreter, at its end) PyO3 puts off letting go of the object until somebody has it.
    let _ = Python::try_attach(|_| drop(owner));
}

/// The `arrow_schema` capsule of lists of ids like these.
#[pyfunction]
pub fn arrow_schema<'py>(ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCapsule>> {
    let format = match data(ids, "ids")? {
        Data::Narrow(_) => c"S",
        Data::Wide(_) => c"I",
    };
    let items = ArrowSchema::new(format, c"item", None);
    PyCapsule::new_with_value(ids.py(), ArrowSchema::new(c"+L", c"", Some(items)), c"arrow_schema")
}

/// The `arrow_array` capsule of the lists `ids[offsets[i]:offsets[i + 1]]`, which copies nothing.
#[pyfunction]
pub fn arrow_array<'py>(ids: &Bound<'py, PyAny>, offsets: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCapsule>> {
    let (start, length) = match data(ids, "ids")? {
        Data::Narrow(array) => (array.data().cast_const().cast(), array.len()),
        Data::Wide(array) => (array.data().cast_const().cast(), array.len()),
    };
    let offsets = contiguous::<i64>(offsets, "offsets")?
        .ok_or_else(|| PyTypeError::new_err("offsets are a NumPy array of `int64`"))?;
    let rows = checked_rows(&offsets, length)?;
    let first = offsets.data().cast_const().cast();
    let items = ArrowArray::new(length, start, ids.clone().unbind(), None);
    let lists = ArrowArray::new(rows, first, offsets.into_any().unbind(), Some(items));
    PyCapsule::new_with_value(ids.py(), lists, c"arrow_array")
}

enum Data<'py> {
    Narrow(Bound<'py, PyArray1<u16>>),
    Wide(Bound<'py, PyArray1<u32>>),
}

fn data<'py>(array: &Bound<'py, PyAny>, name: &str) -> PyResult<Data<'py>> {
    if let Some(narrow) = contiguous(array, name)? {
        return Ok(Data::Narrow(narrow));
    }
    let wide = contiguous(array, name)?.map(Data::Wide);
    wide.ok_or_else(|| PyTypeError::new_err(format!("{name} are a NumPy array of `uint16` or `uint32`")))
}

/// `None` for what is no array of this type and one dimension.
fn contiguous<'py, T: Element>(array: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyArray1<T>>>> {
    let Ok(array) = array.cast::<PyArray1<T>>() else { return Ok(None) };
    if array.is_c_contiguous() && array.data().is_aligned() {
        return Ok(Some(array.clone()));
    }
    Err(PyValueError::new_err(format!("{name} do not lie side by side and aligned in memory: pass {name}.copy()")))
}

/// The number of lists. A consumer trusts the offsets, and would read anywhere in memory by wrong ones.
fn checked_rows(offsets: &Bound<'_, PyArray1<i64>>, ids: usize) -> PyResult<usize> {
    let offsets = offsets.try_readonly().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let offsets = offsets.as_slice()?;
    let ends = offsets.first().zip(offsets.last());
    let inside = ends.is_some_and(|(&first, &last)| 0 <= first && usize::try_from(last).is_ok_and(|last| last <= ids));
    if inside && offsets.is_sorted() {
        return Ok(offsets.len() - 1);
    }
    Err(PyValueError::new_err(format!(
        "offsets must be at least one number, ascend, and lie between 0 and {ids}, the number of ids"
    )))
}

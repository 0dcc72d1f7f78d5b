//! Options of the preprocessor.

/// The name of the source with the macros of the command line.
pub const COMMAND_LINE_MACROS: &str = "<command line>";

/// Settings of the preprocessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreprocessOptions {
    /// The definitions of the command line, in order.
    pub defines: Vec<Define>,
}

/// A `-D` or `-U` of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Define {
    /// `-D`: defines a macro. The name may have parameters, as in `F(x)`.
    Set {
        /// The macro's name.
        name: String,
        /// Its body as text.
        value: String,
    },
    /// `-U`: undefines a macro.
    Unset {
        /// The macro's name.
        name: String,
    },
}

impl Define {
    /// Reads the argument of `-D`: `NAME`, which means `NAME=1`, or `NAME=VALUE`.
    pub fn set(argument: &str) -> Self {
        let (name, value) = argument.split_once('=').unwrap_or((argument, "1"));
        Define::Set { name: name.to_owned(), value: value.to_owned() }
    }

    /// Reads the argument of `-U`.
    pub fn unset(name: &str) -> Self {
        Define::Unset { name: name.to_owned() }
    }

    /// The equivalent directive, on one line.
    pub(super) fn directive(&self) -> String {
        let line = match self {
            Define::Set { name, value } => format!("#define {name} {value}"),
            Define::Unset { name } => format!("#undef {name}"),
        };
        line.replace(['\n', '\r'], " ") + "\n"
    }
}

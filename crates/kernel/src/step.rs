//! Steps: single executions of something in the model.

/// One execution, as its transition system names it.
///
/// The number is opaque: the system packs into it whatever it needs (process,
/// edge, partner of a rendezvous), and everyone else compares it and hands it
/// back. It means something only together with the state it is enabled in;
/// there, it determines the successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(pub u64);

//! The features of Promela that generated programs use: one row each, with its weights in the
//! presets.
//!
//! A weight is relative to the other choices at the same point for statements
//! and operators, and a percentage for declarations; 0 means never.

macro_rules! features {
    ($($name:ident $small:literal $full:literal $doc:literal),* $(,)?) => {
        /// A language feature that a program may use.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Feature { $(#[doc = $doc] $name),* }

        impl Feature {
            /// Every feature, in order.
            pub const ALL: &'static [Feature] = &[$(Feature::$name),*];

            /// Its weight in the preset of core features.
            pub(super) fn weight_in_small(self) -> u32 {
                match self { $(Feature::$name => $small),* }
            }

            /// Its weight in the preset of all harmless features.
            pub(super) fn weight_in_full(self) -> u32 {
                match self { $(Feature::$name => $full),* }
            }
        }
    };
}

features! {
    // Channels.
    Buffered 50 60 "channels with a buffer",
    Rendezvous 25 30 "channels without a buffer",
    SortedSend 0 15 "`q!!e`",
    RandomReceive 0 15 "`q??x`",
    Peek 0 12 "`q?<x>`",
    Match 12 12 "a constant as a field of a receive",
    Eval 0 8 "`eval(e)` as a field of a receive",
    Poll 0 8 "`q?[x]`",
    Length 5 8 "`len(q)`",
    Probe 8 12 "`full(q)`, `nempty(q)` and the like",
    ChannelArray 0 15 "arrays of channels",
    LocalChannel 0 15 "channels made by a process, or given to it by `run`",
    RecordMessage 0 15 "messages that are records",
    // Data.
    Array 20 25 "arrays",
    ArrayInit 0 30 "`= { 1, 2 }`",
    Record 0 25 "`typedef`",
    Mtype 25 35 "`mtype`",
    MtypeSet 0 30 "`mtype : set`",
    Unsigned 0 20 "`unsigned x : n`",
    Signed 8 12 "`short` and `int`, and negative values",
    Hidden 0 0 "`hidden` variables",
    Show 0 4 "`show` variables",
    LocalVisibility 0 0 "`local` global variables",
    LocalConstant 0 0 "local variables that hold one value from their beginning on",
    // Processes.
    ActiveCount 15 20 "`active [n]`",
    Run 25 35 "processes started by `run`",
    Param 60 60 "parameters of a proctype",
    Provided 0 8 "`provided (e)`",
    Priority 0 0 "priorities of processes",
    Deterministic 0 0 "`D_proctype`",
    // Control.
    If 16 16 "`if`",
    Do 12 12 "`do`",
    Else 80 80 "`else`",
    Atomic 10 10 "`atomic`",
    DStep 7 8 "`d_step`",
    Unless 0 5 "`unless`",
    Timeout 3 4 "`timeout`",
    Goto 4 5 "`goto`",
    EndLabel 25 20 "labels `end…`",
    AcceptLabel 0 8 "labels `accept…`",
    ProgressLabel 0 8 "labels `progress…`",
    For 4 5 "`for` over a range",
    ForIn 0 4 "`for` over an array or a channel",
    Select 4 5 "`select`",
    Block 0 5 "blocks with variables of their own",
    Inline 0 20 "`inline` and its calls",
    // Expressions and small statements.
    Conditional 3 6 "`(c -> a : b)`",
    Bitwise 3 6 "operators on bits",
    Division 4 6 "`/`, and `%` where it is not needed to keep a bound",
    ProcessId 6 6 "`_pid`",
    ProcessCount 0 4 "`_nr_pr`",
    Print 2 4 "`printf` and `printm`",
    Assert 6 6 "assertions that hold",
    Step 8 8 "`x++` and `x--`",
    // Properties.
    Never 0 0 "a never claim",
    Ltl 0 0 "an ltl formula",
    Trace 0 0 "`trace` or `notrace`",
    RemoteReference 0 0 "`P@label` and `P:x` in a claim",
    Exclusive 0 0 "`xr` and `xs`",
    // Faults.
    FailingAssert 0 0 "assertions that may fail",
    OutOfBounds 0 0 "indices that may be out of bounds",
    DivideByZero 0 0 "division by what may be zero",
}

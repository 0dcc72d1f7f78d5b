//! FDDI: a token goes round a ring of stations. Each sends synchronous messages for 20 units, and
//! asynchronous ones if the token came back early.

/// Time for synchronous messages.
const SYNCHRONOUS: u32 = 20;

/// The token ring of several stations.
pub fn fddi(stations: u32) -> String {
    let target = 50 * stations;
    let latest = target + SYNCHRONOUS;
    format!(
        "// FDDI token ring with {stations} stations; the token should be back within {target}.\n\
         // yes: A[] forall (i : int[0,{last}]) forall (j : int[0,{last}]) Station(i).async and \
         Station(j).async imply i == j\n\
         // yes: E<> Station({last}).async\n\
         chan token[{stations}], release[{stations}];\n\n\
         process Ring() {{\n\
         clock t;\n\
         int[0,{last}] at = 0;\n\
         state moving {{ t <= 0 }}, held;\n\
         init moving;\n\
         trans\n\
         moving -> held {{ sync token[at]!; }},\n\
         held -> moving {{ sync release[at]?; assign at = (at + 1) % {stations}, t = 0; }};\n\
         }}\n\n\
         // The clocks of the last two rounds, in turn.\n\
         process Station(const int[0,{last}] number) {{\n\
         clock round, before[2];\n\
         int[0,1] now = 0;\n\
         state idle, late {{ round <= {SYNCHRONOUS} }}, early {{ round <= {SYNCHRONOUS} }}, \
         async {{ (now == 0 imply before[0] <= {latest}) && (now == 1 imply before[1] <= {latest}) \
         }};\n\
         init idle;\n\
         trans\n\
         idle -> late {{ guard round >= {target}; sync token[number]?; assign round = 0, \
         before[1 - now] = 0; }},\n\
         idle -> early {{ guard round < {target}; sync token[number]?; assign round = 0, \
         before[1 - now] = 0; }},\n\
         late -> idle {{ guard round == {SYNCHRONOUS}; sync release[number]!; assign now = 1 - now; }},\n\
         early -> async {{ guard round == {SYNCHRONOUS}; }},\n\
         async -> idle {{ sync release[number]!; assign now = 1 - now; }};\n\
         }}\n\
         system Ring, Station;\n",
        last = stations - 1,
    )
}

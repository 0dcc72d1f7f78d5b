//! The bridge at night: soldiers cross in pairs with one torch, each pair as fast as its slower one.

/// The times of the classic four soldiers.
const TIMES: [u32; 4] = [5, 10, 20, 25];

/// The bridge for several soldiers. Beyond four, each one takes 5 units more than the one before.
pub fn bridge(soldiers: u32) -> String {
    let time = |at: u32| match TIMES.get(at as usize) {
        Some(&time) => time,
        None => TIMES[3] + 5 * (at - 3),
    };
    let times: Vec<String> = (0..soldiers).map(|at| time(at).to_string()).collect();
    let all = format!("forall (i : int[0,{}]) Soldier(i).far", soldiers - 1);
    let answers = match soldiers {
        4 => format!("// yes: E<> {all} and time <= 60\n// no: E<> {all} and time < 60\n"),
        _ => format!("// yes: E<> {all}\n"),
    };
    format!(
        "// A bridge, {soldiers} soldiers and one torch.\n\
         {answers}\
         chan take, release;\n\
         bool is_far;\n\
         clock time;\n\
         const int[0,{longest}] delay[{soldiers}] = {{ {times} }};\n\n\
         process Soldier(const int[0,{last}] number) {{\n\
         clock y;\n\
         state near, leaving, far, returning;\n\
         init near;\n\
         trans\n\
         near -> leaving {{ guard !is_far; sync take!; assign y = 0; }},\n\
         leaving -> far {{ guard y >= delay[number]; sync release!; }},\n\
         far -> returning {{ guard is_far; sync take!; assign y = 0; }},\n\
         returning -> near {{ guard y >= delay[number]; sync release!; }};\n\
         }}\n\n\
         process Torch() {{\n\
         state free, one, two, last;\n\
         init free;\n\
         trans\n\
         free -> one {{ sync take?; }},\n\
         one -> two {{ sync take?; }},\n\
         one -> free {{ sync release?; assign is_far = !is_far; }},\n\
         two -> last {{ sync release?; }},\n\
         last -> free {{ sync release?; assign is_far = !is_far; }};\n\
         }}\n\
         system Soldier, Torch;\n",
        longest = time(soldiers - 1),
        last = soldiers - 1,
        times = times.join(", "),
    )
}

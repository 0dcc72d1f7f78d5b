//! The train gate: trains approach a bridge, and a controller stops those that must wait.

/// The bridge for several trains.
pub fn train_gate(trains: u32) -> String {
    format!(
        "// A bridge for {trains} trains, one at a time; the controller keeps a queue.\n\
         // yes: A[] forall (i : int[0,{last}]) forall (j : int[0,{last}]) Train(i).crossing and \
         Train(j).crossing imply i == j\n\
         // yes: A[] not deadlock\n\
         // yes: E<> Train(0).crossing and Train({last}).stopped\n\
         // yes: Train(0).approaching --> Train(0).crossing\n\
         chan approach[{trains}], stop[{trains}], leave[{trains}];\n\
         urgent chan go[{trains}];\n\n\
         process Train(const int[0,{last}] number) {{\n\
         clock x;\n\
         state safe, approaching {{ x <= 20 }}, stopped, starting {{ x <= 15 }}, \
         crossing {{ x <= 5 }};\n\
         init safe;\n\
         trans\n\
         safe -> approaching {{ sync approach[number]!; assign x = 0; }},\n\
         approaching -> stopped {{ guard x <= 10; sync stop[number]?; }},\n\
         approaching -> crossing {{ guard x >= 10; assign x = 0; }},\n\
         stopped -> starting {{ sync go[number]?; assign x = 0; }},\n\
         starting -> crossing {{ guard x >= 7; assign x = 0; }},\n\
         crossing -> safe {{ guard x >= 3; sync leave[number]!; }};\n\
         }}\n\n\
         process Gate() {{\n\
         int[0,{last}] queue[{trains} + 1];\n\
         int[0,{trains}] length = 0;\n\
         int[0,{last}] last() {{ return queue[length - 1]; }}\n\
         void add(int[0,{last}] train) {{ queue[length] = train; length++; }}\n\
         void remove() {{\n\
         int i = 0;\n\
         length--;\n\
         while (i < length) {{ queue[i] = queue[i + 1]; i++; }}\n\
         queue[i] = 0;\n\
         }}\n\
         state free, occupied, stopping;\n\
         commit stopping;\n\
         init free;\n\
         trans\n\
         free -> occupied {{ select e : int[0,{last}]; guard length == 0; sync approach[e]?; \
         assign add(e); }},\n\
         free -> occupied {{ guard length > 0; sync go[queue[0]]!; }},\n\
         occupied -> free {{ select e : int[0,{last}]; guard length > 0 && e == queue[0]; \
         sync leave[e]?; assign remove(); }},\n\
         occupied -> stopping {{ select e : int[0,{last}]; sync approach[e]?; assign add(e); }},\n\
         stopping -> occupied {{ sync stop[last()]!; }};\n\
         }}\n\
         system Train, Gate;\n",
        last = trains - 1,
    )
}

//! CSMA/CD: stations that share a bus and detect collisions. A signal takes up to 26 units to reach
//! all stations, a message takes 808.

/// The protocol for several stations.
pub fn csma_cd(stations: u32) -> String {
    format!(
        "// CSMA/CD with {stations} stations: 52 units after a station began to send, no other one \
         sends.\n\
         // yes: A[] forall (i : int[1,{stations}]) forall (j : int[1,{stations}]) \
         Station(i).sending and Station(i).x >= 52 and Station(j).sending imply i == j\n\
         // yes: E<> Station(1).sending and Station(1).x >= 52\n\
         chan begin, end, busy;\n\
         broadcast chan collision;\n\n\
         process Bus() {{\n\
         clock y;\n\
         state idle, active, collided {{ y < 26 }};\n\
         init idle;\n\
         trans\n\
         idle -> active {{ sync begin?; assign y = 0; }},\n\
         active -> collided {{ guard y < 26; sync begin?; assign y = 0; }},\n\
         active -> active {{ guard y >= 26; sync busy!; }},\n\
         active -> idle {{ sync end?; assign y = 0; }},\n\
         collided -> idle {{ sync collision!; assign y = 0; }};\n\
         }}\n\n\
         process Station(const int[1,{stations}] number) {{\n\
         clock x;\n\
         state waiting, sending {{ x <= 808 }}, again {{ x < 52 }};\n\
         init waiting;\n\
         trans\n\
         waiting -> sending {{ sync begin!; assign x = 0; }},\n\
         waiting -> again {{ sync busy?; assign x = 0; }},\n\
         waiting -> again {{ sync collision?; assign x = 0; }},\n\
         waiting -> waiting {{ sync collision?; assign x = 0; }},\n\
         sending -> waiting {{ guard x == 808; sync end!; assign x = 0; }},\n\
         sending -> again {{ guard x < 52; sync collision?; assign x = 0; }},\n\
         again -> sending {{ sync begin!; assign x = 0; }},\n\
         again -> again {{ sync busy?; assign x = 0; }},\n\
         again -> again {{ sync collision?; assign x = 0; }};\n\
         }}\n\
         system Bus, Station;\n"
    )
}

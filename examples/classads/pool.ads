Name = "slot1@a.example.org"
Arch = "X86_64"
Memory = 4096
KeyboardIdle = 900
Start = KeyboardIdle > 600 && TARGET.Owner =!= "eve"
Requirements = START

Name = "slot1@b.example.org"
Arch = "X86_64"
Memory = 8192
KeyboardIdle = 30
Start = KeyboardIdle > 600 && TARGET.Owner =!= "eve"
Requirements = START

Name = "slot1@c.example.org"
Arch = "X86_64"
Memory = 16384
KeyboardIdle = 7200
Start = KeyboardIdle > 600 && TARGET.Owner =!= "eve"
Requirements = START

// The head of every kernel. A dispatch of more than 65535 workgroups has rows of them in y.
override WORKGROUP: u32 = 256u;

fn linear_group(id: vec3<u32>, count: vec3<u32>) -> u32 { return id.x + id.y * count.x; }

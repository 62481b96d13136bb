/// Nothing yet.
enum Placeholder {}

import CommandSupport

/// Prints a line, checked: a failed write would be unnoticed by the standard library's function, which this replaces.
func print(_ text: String, terminator: String = "\n") { StandardOutput.write(text + terminator) }

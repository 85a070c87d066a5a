package config

// Nameable reports whether a run may have the name or ID: it becomes a key in the store and the folder of a report.
func Nameable(name string) bool { return nameable.MatchString(name) }

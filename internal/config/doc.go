// Package config is what a user decides about a distillation: one struct, Distill, with the paper's names. It is read
// from YAML or JSON over defaults from the paper's settings table. Validate refuses bad values by key before anything
// starts.
package config

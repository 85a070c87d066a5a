// Package config is what a user decides about a distillation: one struct, read from YAML or JSON, with the paper's names,
// defaults from the paper's settings table and a Validate that refuses bad values by key before anything is started.
package config

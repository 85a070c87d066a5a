// Package input finds and checks what a distillation is given: the teacher's checkpoint and the starting bank, each
// program of which must pass the same gate as a program an LLM wrote. Everything is checked here before anything is
// started.
package input

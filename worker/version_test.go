package main

import "testing"

func TestAsksVersion(t *testing.T) {
	for _, flag := range []string{"--version", "-version"} {
		if !asksVersion([]string{flag}) {
			t.Errorf("%s is not understood", flag)
		}
	}
	if asksVersion(nil) {
		t.Error("a worker without arguments does not work")
	}
}

package compile

import "testing"

// TestFolder: nobody builds where somebody else does, and the folders are used again.
func TestFolder(t *testing.T) {
	tc := &Toolchain{Work: t.TempDir()}
	other := &Toolchain{Work: tc.Work} // as of another process
	first, lock, err := tc.folder()
	if err != nil {
		t.Fatal(err)
	}
	second, otherLock, err := other.folder()
	if err != nil {
		t.Fatal(err)
	}
	defer otherLock.Close()
	if second == first {
		t.Errorf("two builds in %s", first)
	}
	lock.Close()
	again, lock, err := other.folder()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if again != first {
		t.Errorf("the next build is in %s although %s is free", again, first)
	}
}

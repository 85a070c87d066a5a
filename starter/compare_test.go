package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

func TestCompareRefuses(t *testing.T) {
	offline(t)
	if _, err := epb(t, "compare", "r1", "r2", "run:r1"); err == nil ||
		!strings.Contains(err.Error(), "run r1 is named twice") {
		t.Errorf("one run twice: %v", err)
	}
	dir := t.TempDir()
	if _, err := epb(t, "compare", dir, dir+"/.", "--html", dir+"/page.html"); err == nil ||
		!strings.Contains(err.Error(), "is named twice") {
		t.Errorf("one folder by two paths: %v", err)
	}
	var folders []string
	for range 2 {
		dir := t.TempDir()
		file, err := os.Create(filepath.Join(dir, "report.json"))
		if err == nil {
			err = errors.Join(report.JSON(file, report.Data{Run: report.Run{ID: "r1"}}), file.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		folders = append(folders, dir)
	}
	want := "run r1 is named twice, by " + folders[0] + " and by " + folders[1]
	if _, err := epb(t, "compare", folders[0], folders[1]); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("one run in two folders: error %v, want %q", err, want)
	}
}

// The tours of one student and the routes of another have nothing in common.
func TestCompareRefusesMixedProblems(t *testing.T) {
	compiletest.Toolchain(t)
	offline(t)
	page := filepath.Join(t.TempDir(), "page.html")
	routes := routesFolder(t)
	_, err := epb(t, "compare", studentFolder(t), routes, "--html", page)
	if want := routes + " solves cvrp, and "; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if _, err := os.Stat(page); err == nil {
		t.Error("a refused comparison left a page")
	}
}

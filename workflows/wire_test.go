package workflows_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

var update = flag.Bool("update", false, "record the wire types anew: only for a field that was added")

// wireTypes returns the types that histories contain as JSON: what workflows, activities, signals and queries take and
// return.
func wireTypes() []any {
	return []any{
		config.Distill{}, store.Ref{},
		workflows.State{}, workflows.Status{}, workflows.Progress{}, workflows.Spend{}, workflows.Result{},
		workflows.RolloutInput{}, workflows.Dataset{}, workflows.TextGradInput{}, workflows.TextGradOutput{},
		workflows.AddInput{}, workflows.AddOutput{},
		workflows.PrepareInput{}, workflows.Prepared{}, workflows.RolloutTask{}, workflows.Shard{},
		workflows.DaggerInput{}, workflows.ScoreInput{}, workflows.Model{}, workflows.SketchInput{},
		workflows.TrainInput{}, workflows.TrainOutput{}, workflows.WeightsInput{}, workflows.WeightsOutput{},
		workflows.AttributeInput{}, workflows.Attribution{}, workflows.BackwardInput{}, workflows.Gradient{},
		workflows.StepInput{}, workflows.Candidate{}, workflows.RewriteInput{}, workflows.DescribeInput{},
		workflows.JudgeInput{}, workflows.Verdict{}, workflows.CommitInput{}, workflows.Committed{},
		workflows.FaultsInput{}, workflows.FaultStates{}, workflows.ProposeInput{}, workflows.Proposal{},
		workflows.AssignInput{}, workflows.Assignment{}, workflows.AgreeInput{}, workflows.Agreement{},
		workflows.AdmitInput{}, workflows.ExpelInput{}, workflows.DropInput{}, workflows.Revision{},
		workflows.EvaluateInput{}, workflows.ReportInput{}, workflows.RoundSpend{},
		workflows.OutdatedInput{}, workflows.Programs{}, workflows.RedescribeInput{},
	}
}

// The JSON of the wire types stays as recorded, byte for byte: names, order and omitted fields. Running executions and
// workers of another commit read it, and some of it is the key of objects in the store.
func TestWireTypesStay(t *testing.T) {
	const path = "testdata/wire.txt"
	var got bytes.Buffer
	for _, v := range wireTypes() {
		filled := reflect.New(reflect.TypeOf(v))
		fill(filled.Elem(), "")
		for _, form := range []struct {
			title string
			value any
		}{{"", filled.Interface()}, {" (empty)", v}} {
			text, err := json.Marshal(form.value)
			if err != nil {
				t.Fatalf("%T: %v", v, err)
			}
			fmt.Fprintf(&got, "%s%s %s\n", reflect.TypeOf(v).Name(), form.title, text)
		}
	}
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	was, is := strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")
	if len(was) != len(is) {
		t.Fatalf("%d values, %d are recorded", len(is), len(was))
	}
	for i := range is {
		if is[i] != was[i] {
			t.Errorf("was\n%s\nis\n%s", was[i], is[i])
		}
	}
}

// handle matches the declaration of an activity's handle, with the types that it takes and returns.
var handle = regexp.MustCompile(`= Activity\[([^,]+), ([^\]]+)\]\{`)

// The types that the handles take and return are among the recorded types.
func TestWireTypesOfAllHandles(t *testing.T) {
	recorded := map[string]bool{"struct{}": true}
	for _, v := range wireTypes() {
		recorded[reflect.TypeOf(v).Name()] = true
	}
	paths, err := filepath.Glob("wire_*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range handle.FindAllStringSubmatch(string(source), -1) {
			n++
			for _, name := range m[1:] {
				if !recorded[strings.TrimPrefix(name, "store.")] {
					t.Errorf("%s: %s is not recorded", path, name)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no handle found")
	}
}

// fill sets every field of v to a value that depends only on its path in the JSON, not on the order of Go's fields.
func fill(v reflect.Value, path string) {
	number := int64(crc32.ChecksumIEEE([]byte(path))%999 + 1)
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(number, 0).UTC()))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(number)
	case reflect.Uint64:
		v.SetUint(uint64(number))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(number) / 8)
	case reflect.String:
		v.SetString(path)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, "key")
		fill(value, path+"/key")
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous && name == "":
				fill(v.Field(i), path)
			case f.IsExported() && name != "-":
				fill(v.Field(i), path+"/"+name)
			}
		}
	default:
		panic(fmt.Sprintf("%s: a %s on the wire", path, v.Type()))
	}
}

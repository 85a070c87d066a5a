// Package standin is a server that speaks OpenAI's chat completions and answers by rule. It lets the demo, the tests
// and the crash drills run without a key. It is no language model and says so: in the model's name, and in everything
// that the project derives from its answers.
//
// It reads the headings of package textgrad's prompts. A diagnosis compares the numbers of a failure. A step changes a
// constant, or adds a term that the diagnoses ask for. A proposal picks, from a catalogue of classic construction
// rules, those that rank the teacher's choice first in the failures shown. A craft holds what it knows about a problem
// and view: tsp, subtsp, cvrp and subcvrp. A reply is a function of its request alone.
package standin

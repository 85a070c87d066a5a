// Package standin is a server that speaks OpenAI's chat completions and answers by rule. It lets the demo, the tests
// and the crash drills run without a key. It is no language model and says so: in the model's name, and in everything
// that the project derives from its answers.
//
// It reads the headings of package textgrad's prompts. A diagnosis compares the numbers of a failure; a step changes a
// constant or adds a term that the diagnoses ask for; a proposal picks from a catalogue of classic construction rules
// those that rank the teacher's choice right in the failures shown. What it knows of a problem and view is a craft:
// tsp, subtsp, cvrp and subcvrp. The answer is a function of the request alone.
package standin

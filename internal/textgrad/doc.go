// Package textgrad is textual gradient descent on the bank (Block I, paper §3.3 and the appendix on symbolic
// optimisation): which failures a heuristic is blamed for (Eq. 10), how a failure reads in geometric terms, the
// prompts of every role, and strict parsers for what comes back.
//
// Everything here is a function of its arguments. A caller takes one durable step at a time: it builds a request, has
// it completed elsewhere, and parses the reply. Words follow TextGrad: a backward call turns a failure into a gradient
// (a diagnosis in words), a step turns gradients into a new program.
//
// The prompts, one file each in prompts; `epb prompts show` renders them with real data:
//
//	file                  role      asks for                         read by                   paper's appendix
//	backward_code         critic    LOGIC, TEACHER, FLAW, DIRECTION  ParseGradient             backward (code)
//	backward_description  critic    MISSING, MISLEADING, DIRECTION   ParseDescriptionGradient  backward (descr.)
//	step                  writer    program, following gradients     ParseProgram              optimizer step
//	step_description      writer    strategy, following gradients    ParseDescription          phase 2
//	implement             writer    the program of a strategy        ParseProgram              implement
//	describe              writer    an accepted program described    ParseDescription          description alignment
//	repair                writer    a program that passes the gate   ParseProgram              -
//	propose               proposer  failure modes, a candidate each  ParseProposals            propose, Alg. 2 line 2
//	again                 any       the same again
//
// All share context.tmpl (the paper's shared context: framing, the teacher's sharpness as measured, what counts; the
// rules and the SDK's documentation in brief for those who write). Critic, writer and proposer are told the teacher's
// habits (package habits). A failure shows the teacher's next choices, the candidates, the features in which the two
// picks differ, and what each weight of the program adds to both. A step shows the program's Record: where the router
// trusts it, how it does there, and the slope of the loss by each named feature (package evidence). Tables have fixed
// headings, "| measure | slope | spread | says |" for example, so that a program can read them. What differs by problem
// and by what the teacher sees is in the folder of the SDK package, wasm-heuristics/sdk/NAME/prompts.tmpl; a subgraph
// view's says only what differs from the whole instance's.
package textgrad

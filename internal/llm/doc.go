// Package llm asks a language model through any server that speaks OpenAI's chat completions.
//
// Client asks once and says how that ended: an Error tells its caller whether, and when, to ask again. Cached stores
// every answer under the hash of its request (Request.Key) before anyone uses it, so that a second attempt, a resumed
// run or another run never pays twice. The key holds all fields of the request, the model's name among them, and no
// server: any endpoint may have answered. An answer of the stand-in gives way to that of a language model. Code and
// Tagged take programs out of a model's prose. The prompts themselves are in package textgrad.
package llm

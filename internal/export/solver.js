// An exported solver in JavaScript: for browsers, Node and Deno. It needs the file solver.wasm and nothing else.
//
//   import { load } from "./solver.js";
//   const solver = await load(await (await fetch("solver.wasm")).arrayBuffer());
//   const tour = solver.solve({ x: [3, 8, 5.5], y: [1, 2, 9] });

/** Loads a solver from the bytes of solver.wasm. */
export async function load(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new Solver(instance.exports);
}

const OWN_START = -1;
const MAX_INT32 = 2 ** 31 - 1;

/** A solver. It solves one instance at a time. */
export class Solver {
  constructor(wasm) {
    wasm._initialize();
    const table = new Uint32Array(wasm.memory.buffer, wasm.epb_table(), 16);
    if (table[0] !== 1) throw new Error(`solver of version ${table[0]}, want 1`);
    this.wasm = wasm;
    this.problem = { 1: "tsp", 2: "cvrp" }[table[1]];
    this.leastNodes = table[15];
    this.maxNodes = table[2];
    [this.coords, this.demand, this.actions, this.candidates, this.weights, this.mixture, this.proposals] =
      table.slice(4);
    const text = (at, size) => new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, at, size));
    /** What needs coordinates, in words; where it is empty, an instance may have distances in their place. */
    this.needs = text(table[11], table[12]);
    /** Names of the programs. */
    this.programs = text(table[13], table[14]).split("\n");
    /**
     * The node that begin has taken, and steps leaves out: where a tour starts, or a first customer that was given.
     * It is undefined before a solution begins, and where the first customer is the student's own first step.
     */
    this.first = undefined;
  }

  /**
   * Begins a solution. An instance has x and y of all nodes, and for a CVRP, whose depot is node 0, demand and capacity.
   * Coordinates are brought to the unit square by their range, unless they lie in it and fill a quarter of its side or
   * more; with unit: true they stay as they are. start is the node to begin at; without it the student chooses. Where
   * needs is empty, distances, a list of a row for each node, may stand in place of x and y.
   */
  begin(instance, start = OWN_START) {
    this.first = undefined;
    this.check(instance);
    let { x, y, distances, demand, capacity = 0, unit = false } = instance;
    if (distances) x = y = distances.map(() => 0);
    const n = x.length;
    if (typeof start !== "number") throw new Error("start: want the number of a node");
    if (start !== OWN_START && !(Number.isInteger(start) && start >= 0 && start < n)) {
      throw new Error(`no solution can begin at node ${start}`);
    }
    const buffer = this.wasm.memory.buffer;
    new Float64Array(buffer, this.coords, n).set(x);
    new Float64Array(buffer, this.coords + 8 * this.maxNodes, n).set(y);
    if (demand) new Int32Array(buffer, this.demand, n).set(demand);
    const status = this.wasm.epb_begin(n, capacity, start, distances ? 2 : unit ? 0 : 1);
    if (status !== 0) {
      throw new Error({
        [-3]: `no solution can begin at node ${start}`,
        [-4]: `every customer must demand 0 to ${capacity}`,
        [-5]: "coordinates must be finite, and not all in one place",
      }[status] ?? `the solver refuses this instance (${status})`);
    }
    if (distances) {
      const at = this.wasm.epb_distances();
      distances.forEach((row, i) => new Float32Array(buffer, at + 4 * n * i, n).set(row));
      if (this.wasm.epb_measured() !== 0) {
        throw new Error("distances must be finite, symmetric, not negative, 0 from a node to itself, and not all 0");
      }
    }
    if (this.problem === "tsp" || start !== OWN_START) this.first = new Uint32Array(buffer, this.actions, 1)[0];
  }

  /** Throws an error that says what is wrong with the form of an instance. */
  check({ x, y, distances, demand, capacity } = {}) {
    const isInt32 = (v) => Number.isInteger(v) && Math.abs(v) <= MAX_INT32;
    const isList = (v) => Array.isArray(v) || ArrayBuffer.isView(v);
    if (distances !== undefined) {
      if (this.needs) throw new Error(`distances are not enough: ${this.needs} needs coordinates`);
      if (!isList(distances) || !Array.from(distances).every((row) => isList(row) && row.length === distances.length)) {
        throw new Error("distances: want a list of rows, each with a distance for every node");
      }
    } else if (!isList(x) || !isList(y) || x.length !== y.length) {
      const got = (v) => isList(v) ? v.length : "no list";
      throw new Error(`x has ${got(x)} and y ${got(y)}: want two lists of as many numbers, { x: [3, 8, 5.5], y: [1, 2, 9] }`);
    }
    const n = (distances ?? x).length;
    if (n < this.leastNodes || n > this.maxNodes) {
      throw new Error(`${n} nodes, want ${this.leastNodes} to ${this.maxNodes}`);
    }
    if (this.problem !== "cvrp") return;
    if (!isList(demand) || demand.length !== n || !Array.from(demand).every(isInt32)) {
      throw new Error(`demand: want ${n} whole numbers, of which the first, the depot's, does not count`);
    }
    if (!Number.isInteger(capacity) || capacity < 1) throw new Error("capacity: want a whole number above 0");
    if (capacity > MAX_INT32) throw new Error(`capacity: want at most ${MAX_INT32}`);
  }

  /** Solves an instance: the nodes of a tour, or customers and 0 for each return to the depot. */
  solve(instance, start = OWN_START) {
    this.begin(instance, start);
    return Array.from(new Uint32Array(this.wasm.memory.buffer, this.actions, this.wasm.epb_solve()));
  }

  /**
   * Yields the decisions of a solution: node, and where there was a choice candidates, weights (of each program),
   * leader (the name of the program of the largest weight), proposals (of each program, for each candidate) and mixture
   * (what decided). The start of a tour, or a first customer that was given, is no step: it is in first as soon as the
   * first step has been asked for.
   */
  *steps(instance, start = OWN_START) {
    this.begin(instance, start);
    for (let node = this.wasm.epb_step(); node >= 0; node = this.wasm.epb_step()) {
      const K = this.wasm.epb_candidates(), buffer = this.wasm.memory.buffer;
      if (K === 0) {
        yield { node };
        continue;
      }
      const floats = (at, n) => Array.from(new Float32Array(buffer, at, n));
      const M = this.programs.length, weights = floats(this.weights, M);
      yield {
        node,
        candidates: Array.from(new Uint16Array(buffer, this.candidates, K)),
        weights,
        leader: this.programs[weights.indexOf(Math.max(...weights))],
        proposals: Array.from({ length: M }, (_, m) => floats(this.proposals + 4 * m * K, K)),
        mixture: floats(this.mixture, K),
      };
    }
  }
}

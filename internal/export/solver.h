/*
 * The functions of solver.wasm as C sees them: in a runtime of WebAssembly (wasm.h of Wasmer, Wasmtime or WAMR) as
 * exports of these names, or compiled by wasm2c. The module imports nothing. Numbers are little-endian, nodes count
 * from 0, and a CVRP's depot is node 0. Call _initialize, then epb_table, once each.
 */
#ifndef EPB_SOLVER_H
#define EPB_SOLVER_H

#include <stdint.h>

/*
 * What lies in the module's memory at the address that epb_table returns. The members from coords on are addresses,
 * but for needs_size, names_size and least_nodes.
 */
struct epb_table {
    uint32_t version;    /* 1 */
    uint32_t problem;    /* 1 TSP, 2 CVRP */
    uint32_t max_nodes;  /* a depot counted */
    uint32_t programs;   /* M */
    uint32_t coords;     /* double[2][max_nodes]: write x of all nodes, then y of all nodes */
    uint32_t demand;     /* int32_t[max_nodes]: write the demands of a CVRP */
    uint32_t actions;    /* uint32_t[]: read the solution */
    uint32_t candidates; /* uint16_t[K] of the last decision */
    uint32_t weights;    /* float[M]: how far each program was trusted */
    uint32_t mixture;    /* float[K]: what decided; its largest value, ties to the first */
    uint32_t proposals;  /* float[M][K]: what each program would do */
    uint32_t needs;      /* text: what needs coordinates */
    uint32_t needs_size; /* its length, 0 if distances are enough */
    uint32_t names;      /* text: names of the programs, with a line break between two */
    uint32_t names_size;
    uint32_t least_nodes; /* a depot counted */
};

void _initialize(void);
uint32_t epb_table(void);

/*
 * Begins a solution of the nodes that were written, from node start, or where the student begins if start is negative.
 * If scale is not 0, coordinates are brought to the unit square by the larger of their ranges, unless they lie in it
 * and fill a quarter of its side or more; else they lie in it. Returns 0, or -2 (number of nodes), -3 (start), -4 (a
 * demand) or -5 (a coordinate).
 */
int32_t epb_begin(uint32_t nodes, uint32_t capacity, int32_t start, uint32_t scale);

/*
 * With scale 2 epb_begin asks for no coordinates, or returns -6 if the student needs them. Then write the distances,
 * symmetric and in any unit, as float[nodes][nodes] to the address that epb_distances returns, and call epb_measured,
 * which returns 0, or -5 if they are not valid.
 */
uint32_t epb_distances(void);
int32_t epb_measured(void);

/*
 * Takes one decision. Returns its node, or -1 if the solution is complete. The start of a tour, or a first customer
 * that was given, is no decision: after epb_begin it is in actions already, and epb_step returns the nodes after it.
 */
int32_t epb_step(void);

/* Returns K of the last decision, or 0 if only one node was left to go to. */
uint32_t epb_candidates(void);

/* Takes all decisions. Returns how many actions there are: nodes of a tour, or customers and 0 for each return. */
uint32_t epb_solve(void);

#endif

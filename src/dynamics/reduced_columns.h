/* Mass matrix of a reduced robot by composite bodies (Stepanenko's idea), theory (19.10), into any store of its
 * entries.
 *
 *   inward   first and second moments of the subtree about the body's origin, turned and carried to the parent's;
 *            F_d = inertia times column d;  M_dk = S_k^T F_d at every body k it comes to: all F_d of a subtree, whose
 *            columns are contiguous, are carried together from body to body. Those that have reached a body on the
 *            ground are not stored any more
 *
 * Read once per store, without a guard, as C and as C++ (there in a namespace per store). Before it are defined
 *   MassStore          where M goes
 *   MassCursor         a place (i, j), i >= j, in it: cursor_at(store, i, j, slot)
 *   put(store, &c, x)  sets the entry there, and where the store has it (j, i); put_along also goes on to (i, j + 1)
 *   go_down(store, &c) goes on to (i + 1, j)
 *   clear_off_paths(placed, store)  zeros between freedoms of different branches
 * Stores: a square matrix of one state, its lower triangle or both (kernel_reduced.c); the caller's memory and rows of
 * paths, of lanes (batch/columns.h, batch/rows.h).
 *
 * Two other recursions for M stay apart: kernel_composite.c, in world axes, for elastic links and long paths (167 ns on
 * industrial6 and 491 ns on the quadruped, where this one takes 123 and 278), and codegen/reduced_mass.h, in shared
 * axes, which leaves fewer operations to the tape. Both say how many. */

/* A column with force f and moment m reaches a body; c is its entry of M, and afterwards that of the next column. */
static ZI_HOT void arrive(int fate, real sign, real3 f, real3 m, ReducedForce *at, MassCursor *c, const MassStore *to) {
    if (fate == GOES_ON || fate == IS_LAID_DOWN) at->f = f, at->n = m;
    if (fate == GOES_ON || fate == ENDS_TURNING) put(to, c, sign * m.z);
    if (fate == ENDS_FLOATING) {
        MassCursor along = *c;
        put_along(to, &along, f.x), put_along(to, &along, f.y), put_along(to, &along, f.z);
        put_along(to, &along, m.x), put_along(to, &along, m.y), put_along(to, &along, m.z);
    }
    go_down(to, c);
}

/* Columns of the bodies beyond body i, which turns, to its parent. */
static ZI_HOT void bring_turning(int form, int fate, const Placed *x, int i, ReducedForce *F, const MassStore *to) {
    const ziReducedStep *b = &x->step[i], *p = &x->step[b->parent];
    const ReducedNumbers n = x->numbers[i];
    const real sign = x->numbers[b->parent].sign;
    FOR_UNROLL(k) {
        const turn t = turn_at(x, i, k);
        MassCursor c = cursor_at(to, b->v + 1, p->v, k);
        ReducedForce *end = F + b->v_end * REAL_UNROLL + k;
        for (ReducedForce *at = F + (b->v + 1) * REAL_UNROLL + k; at < end; at += REAL_UNROLL) {
            const real3 f = turn_in(form, &n, t, at->f);
            arrive(fate, sign, f, add_moment(form, &n, f, turn_in(form, &n, t, at->n)), at, &c, to);
        }
    }
}

/* Moments of body i, which turns, and its own column to its parent: the column turns with the moments it is made of.
 * To a body that turns on the ground only moments about its axis are needed; the others stay as they are. */
static ZI_HOT void step_turning(int form, int fate, const Placed *x, int i, const Composite *me, Composite *up,
                                ReducedForce *F, const MassStore *to) {
    const ziReducedStep *b = &x->step[i], *p = &x->step[b->parent];
    const ReducedNumbers n = x->numbers[i], *own = &x->numbers[b->parent];
    FOR_UNROLL(k) {
        const Composite turned = composite_turn(turn_at(x, i, k), me[k]);
        const ReducedForce column = column_in(form, &n, &turned);
        MassCursor c = cursor_at(to, b->v, p->v, k);
        arrive(fate, own->sign, column.f, column.n, &F[b->v * REAL_UNROLL + k], &c, to);
        const Composite moved = composite_shift(form, reduced_r(&n), b->heavy, n.mass, composite_in(form, &n, turned));
        if (fate != ENDS_TURNING) {
            pile(x, i, moved, &up[k]);
        } else {
            if (b->first) up[k] = composite_of(own);
            up[k].xx = up[k].xx + moved.xx, up[k].yy = up[k].yy + moved.yy;
        }
    }
    if (b->v_end > b->v + 1) bring_turning(form, fate, x, i, F, to);
}

/* Columns first ... end - 1, stored at body i, projected on its axes. */
static ZI_COLD void meet(const Placed *x, int i, int first, int end, const ReducedForce *F, const MassStore *to) {
    const ziReducedStep *b = &x->step[i];
    const ReducedNumbers *n = &x->numbers[i];
    for (int d = first; d < end; d++) {
        FOR_UNROLL(k) {
            const ReducedForce *at = &F[d * REAL_UNROLL + k];
            MassCursor c = cursor_at(to, d, b->v, k);
            if (b->kind == ZI_REDUCED_TURNS) put_along(to, &c, n->sign * at->n.z);
            for (int j = 0; j < b->nv && b->kind != ZI_REDUCED_TURNS; j++)
                put_along(to, &c, column_force(b, n, &x->transforms[i * REAL_UNROLL + k], j, at->f, at->n));
        }
    }
}

/* -- bodies ------------------------------------------------------------------------------------------------------- */

/* Body i, which turns: its diagonal entry, then its column and all beyond it to the parent, with transform form and
 * fate as constants. */
static ZI_HOT void mass_of_turning(const Placed *x, int i, const Composite *me, Composite *up, ReducedForce *F,
                                   const MassStore *to) {
    const ziReducedStep *b = &x->step[i];
    for (int k = 0; k < REAL_UNROLL; k++) {
        const MassCursor c = cursor_at(to, b->v, b->v, k);
        put(to, &c, me[k].xx + me[k].yy + x->tree->armature[b->v]);
    }
    if (!b->parent) return;
    switch (fate(&x->step[b->parent])) {
    case GOES_ON: BY_TRANSFORM_FORM(b->form, step_turning, GOES_ON, x, i, me, up, F, to); break;
    case ENDS_TURNING: BY_TRANSFORM_FORM(b->form, step_turning, ENDS_TURNING, x, i, me, up, F, to); break;
    case ENDS_FLOATING: BY_TRANSFORM_FORM(b->form, step_turning, ENDS_FLOATING, x, i, me, up, F, to); break;
    default:
        BY_TRANSFORM_FORM(b->form, step_turning, IS_LAID_DOWN, x, i, me, up, F, to);
        meet(x, b->parent, b->v, b->v_end, F, to);
    }
}

/* Own columns of a body that floats on the ground: m 1, -h~; h~, J. */
static ZI_COLD void mass_of_floating(const Placed *x, int i, const Composite *me, const MassStore *to) {
    const ziReducedStep *b = &x->step[i];
    const double *armature = x->tree->armature + b->v;
    const real m = x->numbers[i].mass, none = 0;
    FOR_UNROLL(k) {
        const Composite a = me[k];
        const real entry[21] = {m,           none,   m,           none,  none,  m,      none,
                                -a.h.z,      a.h.y,  a.yy + a.zz, a.h.z, none,  -a.h.x, -a.xy,
                                a.xx + a.zz, -a.h.y, a.h.x,       none,  -a.xz, -a.yz,  a.xx + a.yy};
        for (int d = 0, e = 0; d < 6; d++) {
            MassCursor c = cursor_at(to, b->v + d, b->v, k);
            for (int j = 0; j < d; j++) put_along(to, &c, entry[e++]);
            put_along(to, &c, entry[e++] + armature[d]);
        }
    }
}

/* Body i with any other joint: the block of its own columns, then composite and columns carried to the parent and
 * projected on the parent's axes. */
static ZI_COLD void mass_of_standing(const Placed *x, int i, const Composite *me, Composite *up, ReducedForce *F,
                                     const MassStore *to) {
    const ziReducedStep *b = &x->step[i];
    const ReducedNumbers *n = &x->numbers[i];
    push_standing(x, i, me, F);
    for (int d = 0; d < b->nv; d++) {
        FOR_UNROLL(k) {
            const ReducedForce *at = &F[(b->v + d) * REAL_UNROLL + k];
            const LinkTransform *transform = &x->transforms[i * REAL_UNROLL + k];
            MassCursor c = cursor_at(to, b->v + d, b->v, k);
            for (int j = 0; j < d; j++) put_along(to, &c, column_force(b, n, transform, j, at->f, at->n));
            put_along(to, &c, column_force(b, n, transform, d, at->f, at->n) + x->tree->armature[b->v + d]);
        }
    }
    if (!b->parent) return;
    gather_standing(x, i, me, up);
    carry_standing(x, i, F);
    meet(x, b->parent, b->v, b->v_end, F, to);
}

/* M of tree coordinates. */
static ZI_HOT void mass_columns(const Placed *x, ziScratch scratch, const MassStore *to) {
    const ziTree *t = x->tree;
    Composite *composite = zi_scratch_array(&scratch, Composite, (size_t)t->nb * REAL_UNROLL);
    ReducedForce *F = zi_scratch_array(&scratch, ReducedForce, (size_t)t->nv * REAL_UNROLL);
    if (t->reduced->branched) clear_off_paths(x, to);
    for (int i = t->nb - 1; i > 0; i--) {
        const ziReducedStep *b = &x->step[i];
        Composite *me = &composite[i * REAL_UNROLL], *up = &composite[b->parent * REAL_UNROLL];
        for (int k = 0; k < REAL_UNROLL && b->v_end == b->v + b->nv; k++) me[k] = composite_of(&x->numbers[i]);
        if (b->kind == ZI_REDUCED_TURNS)
            mass_of_turning(x, i, me, up, F, to);
        else if (zi_reduced_floats(b))
            mass_of_floating(x, i, me, to);
        else
            mass_of_standing(x, i, me, up, F, to);
    }
}

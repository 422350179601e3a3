/* Random joints of every type; part of random_tree. */
#ifndef ZV_TEST_RANDOM_TREE_JOINT_H
#define ZV_TEST_RANDOM_TREE_JOINT_H

#include "support/random_tree.h"

/* Fills joint i of the tree, between link parent[i] and link i+1. */
void rt_draw_joint(rtTree *tree, rtRandom *random, const rtOptions *options, int i);

#endif

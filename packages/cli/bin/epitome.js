#!/usr/bin/env node
// Committed, so that npm can link the command before it is built.
import '../dist/epitome.js';

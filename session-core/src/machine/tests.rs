//! Transition tables and laws of the machine.

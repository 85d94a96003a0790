"""The rules, one module a subject. They know cards and options; they know no events, no game, no words."""

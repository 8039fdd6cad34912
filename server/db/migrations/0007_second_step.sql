-- The time step of the last code that was taken: a code that somebody looked at over a shoulder is worth nothing.
alter table auth_two_factors add column last_step bigint;

-- An acknowledgment no longer counts as a change of what the public reads: each one locked the version row until it
-- committed and dropped every cached page. Nodes count anew, every few seconds, what was recorded since they last looked.
drop trigger follow_acknowledgment on advisory_acknowledgments;
drop function log_acknowledgment();

-- On the clock of the database, which all nodes share; acknowledged_at is what the person is told.
alter table advisory_acknowledgments add column recorded_at timestamptz not null default now();
create index advisory_acknowledgments_recorded on advisory_acknowledgments (recorded_at);

-- What administrators say about an advisory stands beside the words of its source and outlives every reading of it.

alter table travel_advisories
  -- Taken off the list by hand. It stays off while its source says the same or less.
  add column withdrawn_at timestamptz,
  -- The portal calls it urgent although the source does not; it never takes the source's own word away.
  add column urgent_by_portal boolean not null default false,
  add check (withdrawn_at is null or not is_active),
  add check (is_urgent or not urgent_by_portal);

create index travel_advisories_managed on travel_advisories (last_updated desc, id);
create index audit_log_actions on audit_log (action, id desc);

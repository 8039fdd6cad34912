-- Who was told of a case, so that one nobody takes is brought before the next.
alter table assistant_cases
  add column helpers uuid[] not null default '{}',
  add column told_at timestamptz,
  add column escalations integer not null default 0;
create index assistant_cases_waiting on assistant_cases (told_at) where status = 'open';

/* The name of whoever took a case, for those who look after its place: coordinators may not read each other's profile. */
create function assistant_case_taker(wanted uuid) returns text language sql stable
  security definer set search_path = public as
$$ select u.display_name from assistant_cases c join user_profiles u on u.id = c.taken_by
   where c.id = wanted and (portal_takes_cases(c.country_code, c.chapter_id)) $$;
create policy assistant_cases_owner on assistant_cases for select to current_user using (true);
revoke all on function assistant_case_taker from public;
grant execute on function assistant_case_taker to portal_user, portal_service;

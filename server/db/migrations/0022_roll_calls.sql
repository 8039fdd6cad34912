-- Roll calls: "Are you safe?", answered by one tap or text message; people who need help come first.

create table roll_calls (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 200),
  message text not null default '' check (length(message) <= 1000),
  advisory_id uuid references travel_advisories on delete set null,
  country_codes text[] not null default '{}',
  chapter_id uuid references mfa_local_chapters on delete set null,
  announcement_id uuid references announcements on delete set null,
  -- Announcements that reminded those who had not answered.
  reminder_ids uuid[] not null default '{}',
  started_by uuid references user_profiles on delete set null,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  -- A person who needs help and whom nobody took on by then is escalated to the next helper.
  escalate_after_minutes integer not null default 15 check (escalate_after_minutes between 1 and 1440)
);
create index roll_calls_started on roll_calls (started_at desc);

create table roll_call_recipients (
  roll_call_id uuid not null references roll_calls on delete cascade,
  user_id uuid not null references user_profiles on delete cascade,
  -- Where they were at the start.
  country_code char(2),
  chapter_id uuid references mfa_local_chapters on delete set null,
  answer text check (answer in ('safe', 'need_help', 'not_there')),
  answered_at timestamptz,
  answered_via text check (answered_via in ('link', 'portal', 'coordinator', 'sms')),
  note text check (length(note) <= 500),
  -- A number at which the person can be reached, if it is not that of the profile.
  phone text check (length(phone) <= 40),
  -- Since when an ambiguous text message is unanswered. Takes precedence over an earlier "safe".
  unclear_at timestamptz,
  -- When the person texted STOP during the roll call.
  opted_out_at timestamptz,
  -- The assigned helper, since when, and whether they accepted.
  helper_id uuid references user_profiles on delete set null,
  assigned_at timestamptz,
  accepted_at timestamptz,
  -- Every helper assigned so far, in order: none of them is the next.
  contacted_helper_ids uuid[] not null default '{}',
  escalations integer not null default 0,
  helped_at timestamptz,
  -- The helper's note at the end.
  help_note text check (length(help_note) <= 500),
  primary key (roll_call_id, user_id)
);
create index roll_call_recipients_user on roll_call_recipients (user_id);
create index roll_call_recipients_open on roll_call_recipients (assigned_at)
  where answer = 'need_help' and accepted_at is null;
create index roll_call_recipients_waiting on roll_call_recipients (answered_at)
  where (answer = 'need_help' and helped_at is null) or unclear_at is not null;
create index roll_call_recipients_helper on roll_call_recipients (helper_id) where helper_id is not null;
create index roll_call_recipients_phone_tail on roll_call_recipients (portal_phone_tail(phone)) where phone is not null;

-- Text messages that people send to the portal, and what each means for a roll call.
create table inbound_texts (
  id uuid primary key default gen_random_uuid(),
  -- Order of arrival: several may have the same time.
  arrival bigint generated always as identity,
  provider text not null check (length(provider) <= 40),
  provider_message_id text not null check (length(provider_message_id) <= 500),
  channel text not null check (channel in ('sms', 'whatsapp')),
  number text not null check (length(number) <= 40),
  -- Unchanged.
  body text not null check (length(body) <= 10000),
  -- Attachments, which the portal does not fetch.
  media_count integer not null default 0,
  meaning text not null check (meaning in
    ('safe', 'need_help', 'not_there', 'unclear', 'acknowledged', 'stop', 'start')),
  -- The case it opened, or to which it was added.
  case_id uuid references assistant_cases on delete set null,
  replied_at timestamptz,
  received_at timestamptz not null default now(),
  -- A webhook that is delivered twice makes one row.
  unique (provider, provider_message_id)
);
create index inbound_texts_number on inbound_texts (number, received_at desc);
create index inbound_texts_received on inbound_texts (received_at);

-- The people who may have sent a text: for a number that two people share, both.
create table roll_call_texts (
  roll_call_id uuid not null,
  user_id uuid not null,
  text_id uuid not null references inbound_texts on delete cascade,
  primary key (roll_call_id, user_id, text_id),
  foreign key (roll_call_id, user_id) references roll_call_recipients on delete cascade
);
create index roll_call_texts_text on roll_call_texts (text_id);

/* True where the caller may start a roll call of all these countries and this chapter. */
create function portal_may_call(countries text[], chapter uuid) returns boolean language sql stable
  security definer set search_path = public as
$$ select coalesce(portal_role() = 'admin' or (portal_role() in ('mfa_coordinator', 'local_servant') and (
     portal_scope_everywhere()
     or ((cardinality(countries) > 0 or chapter is not null)
       and (cardinality(countries) = 0 or coalesce(countries <@ portal_scope_countries(), false))
       and (chapter is null or coalesce(chapter = any(portal_scope_chapters()), false)
         or exists (select from mfa_local_chapters c where c.id = chapter
           and (c.coordinator_id = portal_user_id()
             or coalesce(c.country_code = any(portal_scope_countries()), false)))))
   )), false) $$;

do $$
declare tab text;
begin
  foreach tab in array array['roll_calls', 'roll_call_recipients', 'inbound_texts', 'roll_call_texts'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('grant select, insert, update, delete on %I to portal_service', tab);
    execute format('grant select on %I to portal_user', tab);
  end loop;
  -- For the functions with security definer, which belong to the login role.
  foreach tab in array array['roll_calls', 'roll_call_recipients'] loop
    execute format('create policy %I on %I for all to current_user using (true) with check (true)',
      tab || '_owner', tab);
  end loop;
end $$;

-- Whom the caller looks after: by country, by chapter, or as an assigned helper. Sub-selects run once for a statement,
-- not for each of 10,000 rows.
do $$
declare looked_after constant text := '(select portal_role() = ''admin'')
  or (select portal_user_id()) = any(contacted_helper_ids)
  or ((select portal_role() in (''mfa_coordinator'', ''local_servant'')) and (
    (select portal_scope_everywhere())
    or country_code::text = any((select portal_scope_countries())::text[])
    or chapter_id = any((select portal_scope_chapters())::uuid[])
    or chapter_id in (select portal_led_chapters())))';
begin
  execute format('create policy roll_call_recipients_care on roll_call_recipients for select to portal_user
    using (%s)', looked_after);
  execute format('create policy roll_call_recipients_care_change on roll_call_recipients for update to portal_user
    using (%1$s) with check (%1$s)', looked_after);
  -- Without the caller's own row, which the caller may read but does not look after.
  execute format('create view roll_call_in_scope as select * from roll_call_recipients where %s', looked_after);
end $$;
grant select on roll_call_in_scope to portal_user;
create policy roll_call_recipients_own on roll_call_recipients for select to portal_user
  using (user_id = portal_user_id());
grant update (helper_id, assigned_at, accepted_at, helped_at, help_note, contacted_helper_ids) on roll_call_recipients
  to portal_user;

create policy roll_calls_concerned on roll_calls for select to portal_user
  using (portal_role() = 'admin'
    or exists (select from roll_call_recipients p where p.roll_call_id = id and p.user_id = portal_user_id()));
create policy roll_calls_seen on roll_calls for select to portal_user
  using (portal_may_call(country_codes, chapter_id)
    or exists (select from roll_call_in_scope p where p.roll_call_id = id));
create policy roll_calls_start on roll_calls for insert to portal_user
  with check (started_by = portal_user_id() and portal_may_call(country_codes, chapter_id));
create policy roll_calls_change on roll_calls for update to portal_user
  using (portal_may_call(country_codes, chapter_id)) with check (portal_may_call(country_codes, chapter_id));
grant insert, update (ended_at, announcement_id, reminder_ids) on roll_calls to portal_user;

create policy roll_call_texts_care on roll_call_texts for select to portal_user
  using (exists (select from roll_call_in_scope p
    where p.roll_call_id = roll_call_texts.roll_call_id and p.user_id = roll_call_texts.user_id));
create policy inbound_texts_care on inbound_texts for select to portal_user
  using (exists (select from roll_call_texts t where t.text_id = inbound_texts.id));

/* The people a roll call concerns, and where they are; nobody outside of what the caller may call. */
create function roll_call_concerned(countries text[], chapter uuid)
  returns table (user_id uuid, country_code text, chapter_id uuid) language sql stable
  security definer set search_path = public as
$$ select u.id,
     coalesce(case when u.country_code = any($1) then u.country_code end,
       (select c from unnest(u.countries) c where c = any($1) limit 1), u.country_code,
       (select c.country_code from mfa_local_chapters c where c.id = $2)),
     u.chapter_id
   from user_profiles u
   where portal_may_call($1, $2) and u.profile_status in ('pending', 'active')
     and (u.country_code = any($1) or u.countries && $1 or u.chapter_id = $2) $$;

/* Adds the people a roll call concerns, for the caller who has just started it. Returns their ids. */
create function ask_roll_call(call uuid) returns setof uuid language plpgsql
  security definer set search_path = public as $$
declare started roll_calls;
begin
  select * into started from roll_calls r where r.id = call and r.announcement_id is null
    and r.started_by = portal_user_id() and portal_may_call(r.country_codes, r.chapter_id);
  if not found then
    raise exception 'not_yours' using errcode = '42501', detail = 'Only who starts a roll-call says whom it asks.';
  end if;
  return query insert into roll_call_recipients (roll_call_id, user_id, country_code, chapter_id)
    select call, c.user_id, c.country_code, c.chapter_id
    from roll_call_concerned(started.country_codes, started.chapter_id) c
    returning user_id;
end $$;

/* The people of a roll call, or one of them, whom the caller looks after: how to reach each, and what was delivered. */
create function roll_call_list(call uuid, person uuid default null) returns table (
  user_id uuid, name text, phone text, country_code text, chapter_id uuid, chapter_name text, answer text,
  answered_at timestamptz, answered_via text, note text, helper_id uuid, helper_name text, assigned_at timestamptz,
  accepted_at timestamptz, escalations integer, helped_at timestamptz, help_note text, reached text
) language sql stable security definer set search_path = public as
$$ with sent as materialized (
     select array_append(r.reminder_ids, r.announcement_id) as announcement_ids,
       exists (select from announcements t where t.id = any(array_append(r.reminder_ids, r.announcement_id))
         and t.status = 'sent') as is_sent
     from roll_calls r where r.id = call),
   arrived as materialized (
     select m.user_id, min(case m.status when 'delivered' then 1 when 'sent' then 2 when 'recorded' then 5
       when 'pending' then 3 when 'sending' then 3 when 'held' then 3 else 4 end) as best
     from messages m where m.announcement_id = any((select announcement_ids from sent)::uuid[])
       and (person is null or m.user_id = person)
     group by m.user_id),
   seen as materialized (
     select distinct n.user_id from notifications n
     where n.announcement_id = any((select announcement_ids from sent)::uuid[]) and n.read_at is not null
       and (person is null or n.user_id = person))
   select p.user_id, u.display_name, coalesce(p.phone, u.phone_number), p.country_code::text, p.chapter_id,
     c.chapter_name, p.answer, p.answered_at, p.answered_via, p.note, p.helper_id, h.display_name, p.assigned_at,
     p.accepted_at, p.escalations, p.helped_at, p.help_note,
     case when s.user_id is not null then 'delivered'
       else (array['delivered', 'sent', 'waiting', 'failed', 'recorded'])[coalesce(a.best,
         case when (select is_sent from sent) then 4 else 3 end)] end
   from roll_call_in_scope p
   join user_profiles u on u.id = p.user_id
   left join user_profiles h on h.id = p.helper_id
   left join mfa_local_chapters c on c.id = p.chapter_id
   left join arrived a on a.user_id = p.user_id
   left join seen s on s.user_id = p.user_id
   where p.roll_call_id = call and (person is null or p.user_id = person) $$;

/* The names in one row of the list, without the delivery status, so that it is cheap. */
create function roll_call_line(call uuid, person uuid) returns table (
  name text, helper_id uuid, helper_name text, country_code text, note text
) language sql stable security definer rows 1 set search_path = public as
$$ select u.display_name, p.helper_id, h.display_name, p.country_code::text, p.note
   from roll_call_in_scope p join user_profiles u on u.id = p.user_id left join user_profiles h on h.id = p.helper_id
   where p.roll_call_id = call and p.user_id = person $$;

/* Names that coordinators may not read directly, of roll calls that they see: of the chapter, and of the starter. */
create function roll_call_names(call uuid) returns table (chapter_name text, started_by_name text)
  language sql stable security definer set search_path = public as
$$ select c.chapter_name, u.display_name from roll_calls r
   left join mfa_local_chapters c on c.id = r.chapter_id left join user_profiles u on u.id = r.started_by
   where r.id = call and (portal_may_call(r.country_codes, r.chapter_id)
     or exists (select from roll_call_in_scope p where p.roll_call_id = call)) $$;

/* The chapters of which the caller may start a roll call. */
create function roll_call_chapters() returns table (id uuid, chapter_name text, country_code text) language sql stable
  security definer set search_path = public as
$$ select c.id, c.chapter_name, c.country_code from mfa_local_chapters c where portal_may_call('{}', c.id)
   order by c.chapter_name collate "C", c.id limit 2000 $$;

revoke all on function roll_call_concerned, roll_call_list, roll_call_names, roll_call_chapters, ask_roll_call,
  roll_call_line from public;
grant execute on function roll_call_concerned, roll_call_list, roll_call_names, roll_call_chapters
  to portal_user, portal_service;
grant execute on function ask_roll_call, roll_call_line to portal_user;

-- Pages that show a roll call reload when it is named.
create function notify_roll_call() returns trigger language plpgsql as $$
declare changed text;
begin
  for changed in select distinct roll_call_id::text from new_rows loop
    perform pg_notify('roll_calls', changed);
  end loop;
  return null;
end $$;
create trigger notify_roll_call_insert after insert on roll_call_recipients referencing new table as new_rows
  for each statement execute function notify_roll_call();
create trigger notify_roll_call_update after update on roll_call_recipients referencing new table as new_rows
  for each statement execute function notify_roll_call();

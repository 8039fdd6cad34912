-- Text messages that people send to the portal, and what they mean for a roll call.

create table inbound_texts (
  id uuid primary key default gen_random_uuid(),
  -- The order in which they came: several may come in one moment.
  arrival bigint generated always as identity,
  provider text not null check (length(provider) <= 40),
  provider_message_id text not null check (length(provider_message_id) <= 500),
  channel text not null check (channel in ('sms', 'whatsapp')),
  number text not null check (length(number) <= 40),
  -- Word for word.
  body text not null check (length(body) <= 10000),
  -- Pictures, voice messages and the like that came along; the portal does not fetch them.
  media_count integer not null default 0,
  meaning text not null check (meaning in
    ('safe', 'need_help', 'not_there', 'unclear', 'acknowledged', 'stop', 'start')),
  -- The case that it opened or added to.
  case_id uuid references assistant_cases on delete set null,
  replied_at timestamptz,
  received_at timestamptz not null default now(),
  -- A webhook that is delivered twice is one text.
  unique (provider, provider_message_id)
);
create index inbound_texts_number on inbound_texts (number, received_at desc);
create index inbound_texts_received on inbound_texts (received_at);

-- Of whom a text may be: of a number that two people share, of both.
create table roll_call_texts (
  roll_call_id uuid not null,
  user_id uuid not null,
  text_id uuid not null references inbound_texts on delete cascade,
  primary key (roll_call_id, user_id, text_id),
  foreign key (roll_call_id, user_id) references roll_call_people on delete cascade
);
create index roll_call_texts_text on roll_call_texts (text_id);

alter table roll_call_people
  -- Since when a text waits that is not plainly an answer. Counts for more than an earlier "safe".
  add column unclear_at timestamptz,
  -- When the person texted STOP while the roll call was open.
  add column opted_out_at timestamptz;

alter table assistant_cases add column channel text not null default 'portal'
  check (channel in ('portal', 'sms', 'whatsapp'));

/* The last digits of a number, however it is written: enough to find those that may be the same. */
create function portal_phone_tail(number text) returns text language sql immutable as
$$ select right(regexp_replace(translate(number, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '[^0-9]', '', 'g'), 7) $$;
create index user_profiles_phone_tail on user_profiles (portal_phone_tail(phone_number)) where phone_number is not null;
create index roll_call_people_phone_tail on roll_call_people (portal_phone_tail(phone)) where phone is not null;

-- The view names the columns of its day: once more, with the new ones.
do $$
declare looked_after constant text := '(select portal_role() = ''admin'')
  or (select portal_user_id()) = any(asked_helpers)
  or ((select portal_role() in (''mfa_coordinator'', ''local_servant'')) and (
    (select portal_counts_everywhere())
    or country_code::text = any((select portal_scope_countries())::text[])
    or chapter_id = any((select portal_scope_chapters())::uuid[])
    or chapter_id in (select portal_led_chapters())))';
tab text;
begin
  execute format('create or replace view roll_call_cared as select * from roll_call_people where %s', looked_after);
  foreach tab in array array['inbound_texts', 'roll_call_texts'] loop
    execute format('alter table %I enable row level security', tab);
    execute format('alter table %I force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)', tab || '_service', tab);
    execute format('grant select, insert, update, delete on %I to portal_service', tab);
  end loop;
end $$;
create policy roll_call_texts_care on roll_call_texts for select to portal_user
  using (exists (select from roll_call_cared p
    where p.roll_call_id = roll_call_texts.roll_call_id and p.user_id = roll_call_texts.user_id));
create policy inbound_texts_care on inbound_texts for select to portal_user
  using (exists (select from roll_call_texts t where t.text_id = inbound_texts.id));
grant select on roll_call_texts, inbound_texts to portal_user;

/* The names on one line of a list, for those who look after the person. Without what arrived, so that it is cheap. */
create function roll_call_line(call uuid, person uuid) returns table (
  name text, helper_id uuid, helper_name text, country_code text, note text
) language sql stable security definer rows 1 set search_path = public as
$$ select u.display_name, p.helper_id, h.display_name, p.country_code::text, p.note
   from roll_call_cared p join user_profiles u on u.id = p.user_id left join user_profiles h on h.id = p.helper_id
   where p.roll_call_id = call and p.user_id = person $$;
revoke all on function roll_call_line from public;
grant execute on function roll_call_line to portal_user;
create index roll_call_people_waiting on roll_call_people (answered_at)
  where (answer = 'need_help' and helped_at is null) or unclear_at is not null;

-- Whoever signs up lives by the zone that the browser says.
create or replace function profile_of_new_user() returns trigger language plpgsql security definer set search_path = public as $$
declare
  given jsonb := new.registration;
  person uuid;
begin
  insert into persons (first_name, last_name, email, mcgi_id, person_types)
    values (
      coalesce(nullif(given ->> 'first_name', ''), left(new.name, 100)),
      coalesce(given ->> 'last_name', ''),
      new.email,
      given ->> 'mcgi_id',
      array(select jsonb_array_elements_text(coalesce(given -> 'person_types', '[]')))
    )
    returning id into person;
  insert into user_profiles (auth_user_id, person_id, email, email_verified, display_name, auth_provider,
      registration_method, mcgi_hub_id, preferred_language, country_code, time_zone, phone_number, terms_accepted_at)
    values (new.id, person, new.email, new.email_verified, left(new.name, 200),
      coalesce(given ->> 'auth_provider', 'supabase'),
      coalesce(given ->> 'registration_method', 'email_signup'),
      given ->> 'mcgi_hub_id',
      coalesce(given ->> 'preferred_language', 'en'),
      given ->> 'country_code',
      given ->> 'time_zone',
      new.phone_number,
      (given ->> 'terms_accepted_at')::timestamptz);
  return new;
end $$;

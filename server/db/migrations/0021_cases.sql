-- Cases: calls for help and conversations that a coordinator takes over. Messages of one person, or of unknown people
-- in one country, share a case, so that none is lost among many (docs/decisions/0031-calls-that-cannot-be-drowned.md).

create table assistant_cases (
  id uuid primary key default gen_random_uuid(),
  reference text not null unique,
  kind text not null check (kind in ('hand_over', 'call_back', 'danger')),
  channel text not null default 'portal' check (channel in ('portal', 'sms', 'whatsapp')),
  -- trafficking, withheld_passport, violence, self_harm; empty where none was recognised.
  dangers text[] not null default '{}',
  user_id uuid references user_profiles on delete cascade,
  conversation_id uuid references ai_conversations on delete set null,
  name text check (length(name) <= 200),
  -- A number and a time at which a call is safe, as the person wrote them.
  safe_phone text check (length(safe_phone) <= 40),
  safe_time text check (length(safe_time) <= 200),
  -- The number to reach the person, in E.164 if it can be parsed.
  phone_key text check (length(phone_key) <= 40),
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  chapter_id uuid references mfa_local_chapters on delete set null,
  language text not null,
  -- In the languages of the portal, made from records, not from the message.
  summary text not null check (length(summary) <= 4000),
  summary_ar text check (length(summary_ar) <= 4000),
  original_text text not null check (length(original_text) <= 20000),
  sources jsonb not null default '[]',
  -- Messages of people who left neither an account, a number nor a name: each is an entry.
  is_group boolean not null default false,
  -- 1: an account, 2: a number, 3: a name, or a number from an address that sends many, 4: nothing.
  rank smallint not null default 2 check (rank between 1 and 4),
  -- Messages after the first; of a group all of them, including those over the limit that is stored.
  entry_count integer not null default 0,
  -- Null: no message after the first.
  last_entry_at timestamptz,
  status text not null default 'open' check (status in ('open', 'taken', 'closed')),
  taken_by uuid references user_profiles on delete set null,
  taken_at timestamptz,
  closed_at timestamptz,
  note text check (length(note) <= 2000),
  -- Who was notified: a case that nobody accepts is escalated to the next.
  helpers uuid[] not null default '{}',
  notified_at timestamptz,
  escalations integer not null default 0,
  created_at timestamptz not null default now()
);
create index assistant_cases_list on assistant_cases (status, created_at desc, id);
create index assistant_cases_user on assistant_cases (user_id) where user_id is not null;
create index assistant_cases_waiting on assistant_cases (notified_at) where status = 'open';
create index assistant_cases_phone on assistant_cases (phone_key) where status <> 'closed';
create index assistant_cases_groups on assistant_cases (country_code, language) where is_group and status <> 'closed';

create table assistant_case_entries (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references assistant_cases on delete cascade,
  -- Shown to the person; grants no access.
  reference text not null unique,
  kind text not null check (kind in ('hand_over', 'call_back', 'danger')),
  dangers text[] not null default '{}',
  user_id uuid references user_profiles on delete cascade,
  name text check (length(name) <= 200),
  safe_phone text check (length(safe_phone) <= 40),
  safe_time text check (length(safe_time) <= 200),
  language text not null,
  text text not null check (length(text) <= 4000),
  -- Its address had already sent several.
  is_low boolean not null default false,
  -- The case into which a coordinator split it.
  split_to uuid references assistant_cases on delete set null,
  received_at timestamptz not null
);
create index assistant_case_entries_case on assistant_case_entries (case_id, received_at);
create index assistant_case_entries_split on assistant_case_entries (split_to) where split_to is not null;
create index assistant_case_entries_user on assistant_case_entries (user_id) where user_id is not null;

-- Immediate alarms to a coordinator in the current interval.
create table case_alarms (
  user_id uuid not null references user_profiles on delete cascade,
  class text not null check (class in ('known', 'numbered', 'anonymous', 'hand_over')),
  interval_start timestamptz not null,
  sent integer not null,
  primary key (user_id, class)
);

-- What the one message at the end of the interval will report.
create table case_digests (
  user_id uuid not null references user_profiles on delete cascade,
  -- Empty: unknown.
  country_code text not null,
  count integer not null,
  newest_case uuid not null references assistant_cases on delete cascade,
  newest_at timestamptz not null,
  due_at timestamptz not null,
  primary key (user_id, country_code)
);
create index case_digests_due on case_digests (due_at);

-- Calls for help without an account by country and minute, and the bursts they form.
create table case_arrivals (
  country_code text not null,
  minute timestamptz not null,
  count integer not null,
  primary key (country_code, minute)
);
create table case_bursts (
  country_code text primary key,
  started_at timestamptz not null,
  ended_at timestamptz,
  count integer not null
);

/* True where the caller looks after people of this country and chapter. */
create function portal_takes_cases(country text, chapter uuid) returns boolean language sql stable
  security definer set search_path = public as
$$ select coalesce(portal_role() = 'admin' or (portal_role() in ('mfa_coordinator', 'local_servant') and (
     (portal_role() = 'mfa_coordinator' and portal_scope_countries() is null and portal_scope_chapters() is null)
     or country = any(portal_scope_countries()) or chapter = any(portal_scope_chapters())
     or exists (select from mfa_local_chapters c
       where c.id = chapter and c.coordinator_id = portal_user_id()))), false) $$;

do $$
declare tab text;
begin
  foreach tab in array array['assistant_cases', 'assistant_case_entries', 'case_alarms', 'case_digests',
    'case_arrivals', 'case_bursts'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('grant select, insert, update, delete on %I to portal_service', tab);
  end loop;
end $$;
create policy assistant_cases_own on assistant_cases for select to portal_user using (user_id = portal_user_id());
create policy assistant_cases_care on assistant_cases for select to portal_user
  using (portal_takes_cases(country_code, chapter_id));
create policy assistant_cases_care_change on assistant_cases for update to portal_user
  using (portal_takes_cases(country_code, chapter_id)) with check (portal_takes_cases(country_code, chapter_id));
grant select, update (status, taken_by, taken_at, closed_at, note) on assistant_cases to portal_user;
-- For the function below, which belongs to the login role.
create policy assistant_cases_owner on assistant_cases for select to current_user using (true);

create policy assistant_case_entries_care on assistant_case_entries for select to portal_user
  using (exists (select from assistant_cases c
    where c.id = case_id and portal_takes_cases(c.country_code, c.chapter_id)));
-- The author finds it in the download of the own data.
create policy assistant_case_entries_own on assistant_case_entries for select to portal_user
  using (user_id = portal_user_id());
create policy case_bursts_care on case_bursts for select to portal_user
  using (portal_takes_cases(nullif(country_code, ''), null));
grant select on assistant_case_entries, case_bursts to portal_user;

/* Name of the user who accepted a case, for all who look after its place: they cannot read each other's profile. */
create function assistant_case_taker(wanted uuid) returns text language sql stable
  security definer set search_path = public as
$$ select u.display_name from assistant_cases c join user_profiles u on u.id = c.taken_by
   where c.id = wanted and (portal_takes_cases(c.country_code, c.chapter_id)) $$;
revoke all on function assistant_case_taker from public;
grant execute on function assistant_case_taker to portal_user, portal_service;

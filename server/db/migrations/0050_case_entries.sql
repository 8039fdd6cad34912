-- Calls for help that cannot be drowned: messages of one person, or of unknown people in one country, share a case.
alter table assistant_cases
  -- The number to reach the person, in E.164 where it can be read as that.
  add column phone_key text check (length(phone_key) <= 40),
  -- True for messages of people who left neither an account, a number nor a name: each is an entry of its own.
  add column is_group boolean not null default false,
  -- 1: an account, 2: a number, 3: a name, or a number from an address that sends many, 4: nothing.
  add column rank smallint not null default 2 check (rank between 1 and 4),
  -- Messages after the first; of a group all of them, also those beyond what is stored.
  add column entry_count integer not null default 0,
  -- Null: nothing came after it was opened.
  add column last_entry_at timestamptz;
create index assistant_cases_phone on assistant_cases (phone_key) where status <> 'closed';
create index assistant_cases_groups on assistant_cases (country_code, language) where is_group and status <> 'closed';

create table assistant_case_entries (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references assistant_cases on delete cascade,
  -- What the person was given; opens nothing.
  reference text not null unique,
  kind text not null check (kind in ('hand_over', 'call_back', 'danger')),
  dangers text[] not null default '{}',
  user_id uuid references user_profiles on delete cascade,
  name text check (length(name) <= 200),
  safe_phone text check (length(safe_phone) <= 40),
  safe_time text check (length(safe_time) <= 200),
  language text not null,
  words text not null check (length(words) <= 4000),
  -- Its address had sent several already.
  is_low boolean not null default false,
  -- The case a coordinator made of it.
  split_to uuid references assistant_cases on delete set null,
  received_at timestamptz not null
);
create index assistant_case_entries_case on assistant_case_entries (case_id, received_at);
create index assistant_case_entries_split on assistant_case_entries (split_to) where split_to is not null;
create index assistant_case_entries_user on assistant_case_entries (user_id) where user_id is not null;

-- How many alarms a coordinator got at once in the current interval.
create table case_alarms (
  user_id uuid not null references user_profiles on delete cascade,
  class text not null check (class in ('known', 'numbered', 'anonymous', 'hand_over')),
  interval_start timestamptz not null,
  sent integer not null,
  primary key (user_id, class)
);

-- What waits for the one message at the end of the interval.
create table case_digests (
  user_id uuid not null references user_profiles on delete cascade,
  -- Empty: the country is not known.
  country_code text not null,
  count integer not null,
  newest_case uuid not null references assistant_cases on delete cascade,
  newest_at timestamptz not null,
  due_at timestamptz not null,
  primary key (user_id, country_code)
);
create index case_digests_due on case_digests (due_at);

-- Calls for help without an account by country and minute: many of them are a flood.
create table case_arrivals (
  country_code text not null,
  minute timestamptz not null,
  count integer not null,
  primary key (country_code, minute)
);
create table case_floods (
  country_code text primary key,
  started_at timestamptz not null,
  ended_at timestamptz,
  count integer not null
);

do $$
declare tab text;
begin
  foreach tab in array array['assistant_case_entries', 'case_alarms', 'case_digests', 'case_arrivals', 'case_floods'] loop
    execute format('alter table %I enable row level security', tab);
    execute format('alter table %I force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)', tab || '_service', tab);
    execute format('grant select, insert, update, delete on %I to portal_service', tab);
  end loop;
end $$;
-- Those who look after the place of the case; whoever wrote an entry has it in her own data.
create policy assistant_case_entries_care on assistant_case_entries for select to portal_user
  using (exists (select from assistant_cases c
    where c.id = case_id and portal_takes_cases(c.country_code, c.chapter_id)));
create policy assistant_case_entries_own on assistant_case_entries for select to portal_user
  using (user_id = portal_user_id());
create policy case_floods_care on case_floods for select to portal_user
  using (portal_takes_cases(nullif(country_code, ''), null));
grant select on assistant_case_entries, case_floods to portal_user;

-- New accounts at scale: what the portal knows of an account, and what was done to many accounts at once.

create index user_profiles_name on user_profiles (lower(display_name));
create index user_profiles_waiting on user_profiles (created_at, id) where profile_status = 'pending';
create index user_profiles_phone_search on user_profiles using gin (phone_number gin_trgm_ops) where phone_number is not null;
create index persons_mcgi_id on persons (lower(mcgi_id)) where mcgi_id is not null;
create index locale_servants_email on locale_servants (lower(email)) where email is not null;
create index locale_servants_phone_tail on locale_servants (portal_phone_tail(phone)) where phone is not null;

-- One row for each bulk action. The key comes from the form, so that a form sent twice acts once.
create table account_actions (
  id uuid primary key default gen_random_uuid(),
  request_key uuid not null,
  kind text not null check (kind in ('verify', 'ask', 'refuse')),
  actor_id uuid not null references user_profiles on delete cascade,
  -- The question that was asked, or the reason of a refusal.
  message text check (length(message) <= 500),
  -- Ids that the actor sent and may not see, or that do not exist. Not a foreign key: it would tell which.
  missing uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by uuid references user_profiles on delete set null,
  unique (actor_id, request_key)
);
create index account_actions_latest on account_actions (actor_id, created_at desc);

create table account_action_items (
  action_id uuid not null references account_actions on delete cascade,
  user_id uuid not null references user_profiles on delete cascade,
  result text not null check (result in ('verified', 'asked', 'refused', 'already_verified', 'suspended', 'bounced', 'own')),
  -- Who had verified the account before.
  earlier_by uuid references user_profiles on delete set null,
  -- After an undo: whether this account waits again, or was changed since and stays.
  undo_result text check (undo_result in ('undone', 'changed_since')),
  primary key (action_id, user_id)
);
create index account_action_items_user on account_action_items (user_id);

do $$
declare tab text;
begin
  foreach tab in array array['account_actions', 'account_action_items'] loop
    execute format('alter table %I enable row level security', tab);
    execute format('alter table %I force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)', tab || '_service', tab);
    -- For the functions below, which belong to the login role.
    execute format('create policy %I on %I for all to current_user using (true) with check (true)', tab || '_owner', tab);
    execute format('grant select, insert, update, delete on %I to portal_service', tab);
    execute format('grant select, insert, update on %I to portal_user', tab);
  end loop;
end $$;
create policy account_actions_own on account_actions for all to portal_user
  using ((select portal_role() = 'admin') or ((select portal_is_coordinator()) and actor_id = (select portal_user_id())))
  with check ((select portal_role() = 'admin') or ((select portal_is_coordinator()) and actor_id = (select portal_user_id())));
-- The policy of the action decides about its rows; those of the people decide whose names are read.
create policy account_action_items_own on account_action_items for all to portal_user
  using (exists (select from account_actions a where a.id = action_id))
  with check (exists (select from account_actions a where a.id = action_id));

/*
 * What the portal knows of an account that waits, the weightiest first. Reads tables that the caller may not read, and
 * tells of them only whether something fits this account.
 */
create function account_signs(p user_profiles) returns text[] language sql stable security definer set search_path = public as
$$ select case when (select portal_role() = 'admin' or portal_is_coordinator()) then array_remove(array[
     case when p.is_flagged then 'flagged' end,
     case when exists (select from stopped_addresses s where s.channel = 'email' and s.address = lower(p.email)
       and s.reason in ('bounced', 'invalid')) then 'bounced' end,
     case when p.mcgi_hub_id is not null then 'hub' end,
     case when (p.email_verified and exists (select from locale_servants s where lower(s.email) = lower(p.email)))
       or (p.phone_verified and exists (select from locale_servants s
         where portal_phone_tail(s.phone) = portal_phone_tail(p.phone_number)
           and right(regexp_replace(s.phone, '[^0-9]', '', 'g'), 9) = right(regexp_replace(p.phone_number, '[^0-9]', '', 'g'), 9)))
       then 'servant' end,
     case when exists (select from account_action_items i where i.user_id = p.id and i.result = 'asked') then 'asked' end,
     case when p.phone_number is not null and exists (select from user_profiles o where o.phone_number = p.phone_number
       and o.id <> p.id and o.profile_status <> 'deleted') then 'phone_in_use' end,
     case when exists (select from user_profiles o where lower(o.display_name) = lower(p.display_name) and o.id <> p.id
       and o.profile_status <> 'deleted') then 'same_name' end,
     case when p.email_verified then 'email_confirmed' end,
     case when p.phone_verified then 'phone_confirmed' end,
     case when not (p.email_verified or p.phone_verified) then 'unconfirmed' end
   ], null) else '{}' end $$;
revoke all on function account_signs from public;
grant execute on function account_signs to portal_user, portal_service;

/* Whether an account can sign in with two steps. For administrators: to all others it is always false. */
create function account_has_second_step(p user_profiles) returns boolean language sql stable security definer set search_path = public as
$$ select (select portal_role() = 'admin') and (
     exists (select from auth_users u where u.id = p.auth_user_id and u.two_factor_enabled)
     or exists (select from auth_passkeys k where k.user_id = p.auth_user_id)) $$;
revoke all on function account_has_second_step from public;
grant execute on function account_has_second_step to portal_user, portal_service;

-- The policies of accounts say the same as before, with what they read of the caller worked out once for a statement and
-- not for each row: a list of 3,000 accounts took a coordinator a quarter of a second for that alone.
do $$
declare
  of_people constant text := 'role in (''traveler'', ''member'') and profile_status <> ''deleted''';
  in_countries constant text := '(select portal_is_coordinator()) and %s and case when (select portal_scope_countries() is null)
    then (select portal_scope_chapters() is null)
    else coalesce((countries || country_code::text) && (select portal_scope_countries()), false) end';
  in_chapters constant text := '(select portal_role() = ''mfa_coordinator'') and %s
    and coalesce(chapter_id = any((select portal_scope_chapters())::uuid[]), false)';
begin
  execute 'alter policy profiles_own on user_profiles using (id = (select portal_user_id()))';
  execute 'alter policy profiles_own_change on user_profiles using (id = (select portal_user_id())) with check (id = (select portal_user_id()))';
  execute 'alter policy profiles_admin on user_profiles using ((select portal_role() = ''admin'')) with check ((select portal_role() = ''admin''))';
  execute format('alter policy profiles_coordinator on user_profiles using (' || in_countries || ')', of_people);
  execute format('alter policy profiles_coordinator_change on user_profiles using (' || in_countries || ')
    with check ((select portal_is_coordinator()) and role in (''traveler'', ''member''))', of_people);
  execute format('alter policy profiles_coordinator_chapters on user_profiles using (' || in_chapters || ')', of_people);
  execute format('alter policy profiles_coordinator_chapters_change on user_profiles using (' || in_chapters || ')
    with check ((select portal_role() = ''mfa_coordinator'') and role in (''traveler'', ''member''))', of_people);
end $$;

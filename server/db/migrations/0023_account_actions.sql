-- Reviewing new accounts: what the portal knows of an account, and bulk actions on many accounts.

-- The key comes from the form, so that a form sent twice acts once.
create table account_actions (
  id uuid primary key default gen_random_uuid(),
  request_key uuid not null,
  kind text not null check (kind in ('verify', 'ask', 'refuse')),
  actor_id uuid not null references user_profiles on delete cascade,
  -- The question, or the reason of a refusal.
  message text check (length(message) <= 500),
  -- Submitted ids that the actor may not see, or that do not exist. Not a foreign key: it would reveal which.
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
  result text not null check (result in
    ('verified', 'asked', 'refused', 'already_verified', 'suspended', 'bounced', 'own')),
  -- Who had verified the account before.
  earlier_by uuid references user_profiles on delete set null,
  -- After an undo: whether the account is pending again, or was changed meanwhile and stays.
  undo_result text check (undo_result in ('undone', 'changed_since')),
  primary key (action_id, user_id)
);
create index account_action_items_user on account_action_items (user_id);

do $$
declare tab text;
begin
  foreach tab in array array['account_actions', 'account_action_items'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    -- For the functions below, which belong to the login role.
    execute format('create policy %I on %I for all to current_user using (true) with check (true)',
      tab || '_owner', tab);
    execute format('grant select, insert, update, delete on %I to portal_service', tab);
    execute format('grant select, insert, update on %I to portal_user', tab);
  end loop;
end $$;
create policy account_actions_own on account_actions for all to portal_user
  using ((select portal_role() = 'admin')
    or ((select portal_is_coordinator()) and actor_id = (select portal_user_id())))
  with check ((select portal_role() = 'admin')
    or ((select portal_is_coordinator()) and actor_id = (select portal_user_id())));
-- The policy of the action decides about its items; the policies of profiles decide whose names are visible.
create policy account_action_items_own on account_action_items for all to portal_user
  using (exists (select from account_actions a where a.id = action_id))
  with check (exists (select from account_actions a where a.id = action_id));

/*
 * What the portal knows of a pending account, the most important first. Reads tables that the caller may not read, and
 * only reveals whether something matches this account.
 */
create function account_signs(p user_profiles) returns text[] language sql stable
  security definer set search_path = public as
$$ select case when (select portal_role() = 'admin' or portal_is_coordinator()) then array_remove(array[
     case when p.is_flagged then 'flagged' end,
     case when exists (select from suppressions s where s.channel = 'email' and s.address = lower(p.email)
       and s.reason in ('bounced', 'invalid')) then 'bounced' end,
     case when p.mcgi_hub_id is not null then 'hub' end,
     case when (p.email_verified and exists (select from locale_servants s where lower(s.email) = lower(p.email)))
       or (p.phone_verified and exists (select from locale_servants s
         where portal_phone_tail(s.phone) = portal_phone_tail(p.phone_number)
           and right(regexp_replace(s.phone, '[^0-9]', '', 'g'), 9)
             = right(regexp_replace(p.phone_number, '[^0-9]', '', 'g'), 9)))
       then 'servant' end,
     case when exists (select from account_action_items i
       where i.user_id = p.id and i.result = 'asked') then 'asked' end,
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

/* Whether an account has a second factor. For administrators: for all others it is always false. */
create function account_has_second_step(p user_profiles) returns boolean language sql stable
  security definer set search_path = public as
$$ select (select portal_role() = 'admin') and (
     exists (select from auth_users u where u.id = p.auth_user_id and u.two_factor_enabled)
     or exists (select from auth_passkeys k where k.user_id = p.auth_user_id)) $$;
revoke all on function account_has_second_step from public;
grant execute on function account_has_second_step to portal_user, portal_service;

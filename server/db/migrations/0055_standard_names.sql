-- Standard terms for columns, tables and functions (docs/glossary.md). Views, policies and indexes follow a renamed
-- column by themselves; names of constraints and indexes, arguments of triggers and bodies of functions do not.

-- Accounts
alter table auth_sessions rename column way to sign_in_method;
alter table auth_sessions alter column sign_in_method set default 'password';
alter table sign_in_failures rename column way to method;
alter table sign_in_failures rename constraint sign_in_failures_way_check to sign_in_failures_method_check;
alter table sign_in_failures rename constraint sign_in_failures_at_way_reason_auth_user_id_network_key
  to sign_in_failures_at_method_reason_auth_user_id_network_key;

-- Advisories
alter table advisory_sources rename column claimed_until to leased_until;
drop trigger follow_insert on advisory_sources;
drop trigger follow_update on advisory_sources;
drop trigger follow_delete on advisory_sources;
drop trigger follow_truncate on advisory_sources;
call follow_publicly('advisory_sources', 'id', 'leased_until', 'next_attempt_at', 'etag', 'last_modified', 'content_hash',
  'updated_at');
alter table feed_runs rename column refused to rejected;

-- Churches
alter table locales rename column confirmation_asked_at to confirmation_requested_at;
alter index locales_asked rename to locales_confirmation_requested;
alter table locale_messages rename column passed_on_to to recipient_count;

-- Assistant
alter table assistant_cases rename column told_at to notified_at;
alter table assistant_cases rename column original_words to original_text;
alter table assistant_cases rename constraint assistant_cases_original_words_check to assistant_cases_original_text_check;
alter table assistant_case_entries rename column words to text;
alter table assistant_case_entries
  rename constraint assistant_case_entries_words_check to assistant_case_entries_text_check;
alter table case_floods rename to case_bursts;
alter table case_bursts rename constraint case_floods_pkey to case_bursts_pkey;
alter policy case_floods_service on case_bursts rename to case_bursts_service;
alter policy case_floods_care on case_bursts rename to case_bursts_care;
alter index knowledge_chunks_words rename to knowledge_chunks_search_words;

-- Functions
alter function drop_kept_answers() rename to drop_cached_responses;
alter function keep_one_admin() rename to require_one_admin;
alter trigger keep_one_admin on user_profiles rename to require_one_admin;

alter function portal_counts_everywhere() rename to portal_scope_everywhere;
create or replace function portal_may_call(countries text[], chapter uuid) returns boolean
language sql stable security definer set search_path = public as $$
  select coalesce(portal_role() = 'admin' or (portal_role() in ('mfa_coordinator', 'local_servant') and (
    portal_scope_everywhere()
    or ((cardinality(countries) > 0 or chapter is not null)
      and (cardinality(countries) = 0 or coalesce(countries <@ portal_scope_countries(), false))
      and (chapter is null or coalesce(chapter = any(portal_scope_chapters()), false)
        or exists (select from mfa_local_chapters c where c.id = chapter
          and (c.coordinator_id = portal_user_id() or coalesce(c.country_code = any(portal_scope_countries()), false)))))
  )), false) $$;

alter function tell_access_change(text[]) rename to notify_access_change;
alter function tell_changed_people() rename to notify_changed_users;
alter trigger tell_changed_people on user_profiles rename to notify_changed_users;
alter function tell_ended_sessions() rename to notify_ended_sessions;
alter trigger tell_ended_sessions on auth_sessions rename to notify_ended_sessions;
alter function tell_stepped_sessions() rename to notify_changed_sessions;
alter trigger tell_stepped_sessions on auth_sessions rename to notify_changed_sessions;
create or replace function notify_changed_users() returns trigger language plpgsql as $$
begin
  perform notify_access_change(array(
    select 'person:' || n.id from new_rows n join old_rows o using (id)
    where (n.role, n.profile_status, n.scope_countries, n.scope_chapters, n.role_ends_at, n.auth_user_id)
      is distinct from (o.role, o.profile_status, o.scope_countries, o.scope_chapters, o.role_ends_at, o.auth_user_id)));
  return null;
end $$;
create or replace function notify_ended_sessions() returns trigger language plpgsql as $$
begin
  perform notify_access_change(array(select 'session:' || o.id from old_rows o));
  return null;
end $$;
create or replace function notify_changed_sessions() returns trigger language plpgsql as $$
begin
  perform notify_access_change(array(
    select 'session:' || n.id from new_rows n join old_rows o using (id)
    where n.user_id is distinct from o.user_id or n.token is distinct from o.token
      or (n.second_factor_at is null) is distinct from (o.second_factor_at is null)));
  return null;
end $$;

-- Files that people upload. The bytes are on disk or in S3 under the id; the row decides who may see them (D-22).

create table stored_files (
  id uuid primary key default gen_random_uuid(),
  bucket text not null check (bucket in ('avatars', 'pdos-documents', 'chapter-photos', 'inquiry-attachments')),
  owner_id uuid not null references user_profiles on delete cascade,
  path text not null check (length(path) between 1 and 300),
  name text not null check (length(name) between 1 and 200),
  content_type text not null,
  size integer not null check (size > 0),
  sha256 text not null,
  created_at timestamptz not null default now(),
  unique (bucket, owner_id, path)
);
create index stored_files_owner on stored_files (owner_id, bucket, created_at desc);

alter table user_profiles
  add constraint user_profiles_photo foreign key (photo_file_id) references stored_files on delete set null;

/* Which roles may see the files of others in a bucket. */
create function portal_reviews(bucket text) returns boolean language sql stable as
$$ select case bucket
     when 'avatars' then portal_role() = 'admin' or portal_is_coordinator()
     when 'pdos-documents' then portal_role() in ('admin', 'mfa_coordinator', 'pdos_coordinator')
     when 'chapter-photos' then portal_role() in ('admin', 'mfa_coordinator', 'local_servant')
     when 'inquiry-attachments' then portal_role() = 'admin' or portal_is_coordinator()
     else false end $$;

alter table stored_files enable row level security, force row level security;
create policy files_service on stored_files for all to portal_service using (true) with check (true);
create policy files_own on stored_files for all to portal_user
  using (owner_id = portal_user_id()) with check (owner_id = portal_user_id());
-- A reviewer sees the files of users in the own scope: user_profiles shows no others.
create policy files_reviewer on stored_files for select to portal_user
  using (portal_reviews(bucket) and exists (select from user_profiles p where p.id = owner_id));
create policy files_admin_removes on stored_files for delete to portal_user using (portal_role() = 'admin');
grant select, insert, update, delete on stored_files to portal_user, portal_service;

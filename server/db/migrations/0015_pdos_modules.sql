-- Modules of the pre-departure orientation seminar (N-04). They are the same in every country, so administrators change
-- them, and coordinators of the seminar read them.

create table pdos_modules (
  id uuid primary key default gen_random_uuid(),
  code text not null constraint pdos_modules_code_key unique check (code ~ '^[A-Z0-9][A-Z0-9-]{1,19}$'),
  title_en text not null check (length(title_en) between 1 and 200),
  title_ar text not null check (length(title_ar) between 1 and 200),
  description_en text not null default '' check (length(description_en) <= 4000),
  description_ar text not null default '' check (length(description_ar) <= 4000),
  duration_minutes integer not null check (duration_minutes between 1 and 480),
  position integer not null default 0 check (position between 0 and 10000),
  material_links text[] not null default '{}' check (cardinality(material_links) <= 20),
  is_required boolean not null default true,
  status text not null default 'draft' check (status in ('draft', 'active', 'retired')),
  effective_from date,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index pdos_modules_order on pdos_modules (position, code);

create function count_module_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger count_module_version before update on pdos_modules for each row execute function count_module_version();

alter table pdos_modules enable row level security, force row level security;
create policy pdos_modules_service on pdos_modules for all to portal_service using (true) with check (true);
create policy pdos_modules_admin on pdos_modules for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy pdos_modules_coordinators on pdos_modules for select to portal_user
  using (portal_role() in ('mfa_coordinator', 'pdos_coordinator'));
grant select, insert, update, delete on pdos_modules to portal_service, portal_user;

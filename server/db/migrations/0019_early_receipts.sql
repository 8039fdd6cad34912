-- What a provider told of a message before the portal had written down that it handed the message over.
create table early_receipts (
  provider text not null check (length(provider) <= 60),
  receipt text not null check (length(receipt) <= 500),
  status text not null check (status in ('delivered', 'failed')),
  detail text check (length(detail) <= 500),
  stops text check (stops in ('bounced', 'invalid', 'complained', 'opted_out')),
  came_at timestamptz not null default now(),
  primary key (provider, receipt)
);
alter table early_receipts enable row level security;
alter table early_receipts force row level security;
create policy early_receipts_service on early_receipts for all to portal_service using (true) with check (true);
grant select, insert, update, delete on early_receipts to portal_service;

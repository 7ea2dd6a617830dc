ALTER TABLE `jobs` ADD `slide_parked_at` integer;--> statement-breakpoint
ALTER TABLE `jobs` ADD `slide_parked_bytes` integer;
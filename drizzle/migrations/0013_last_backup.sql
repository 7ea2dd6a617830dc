ALTER TABLE `instance` ADD `backed_up_at` integer;--> statement-breakpoint
ALTER TABLE `instance` ADD `backup_bytes` integer;
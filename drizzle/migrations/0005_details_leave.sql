ALTER TABLE `instance` ADD `served_at` integer;--> statement-breakpoint
ALTER TABLE `jobs` ADD `details` text DEFAULT 'kept' NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_to_forget` ON `jobs` (`details`,`expires_at`) WHERE swept_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_revoked` ON `api_keys` (`revoked_at`) WHERE revoked_at IS NOT NULL;
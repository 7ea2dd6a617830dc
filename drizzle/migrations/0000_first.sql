CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`digest` blob NOT NULL,
	`prefix` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_digest_unique` ON `api_keys` (`digest`);--> statement-breakpoint
CREATE INDEX `api_keys_of_user` ON `api_keys` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `archive_stays` (
	`job_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`stored_at` integer NOT NULL,
	`removed_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `archive_stays_of_user` ON `archive_stays` (`user_id`,`removed_at`);--> statement-breakpoint
CREATE TABLE `entries` (
	`job_id` text NOT NULL,
	`position` integer NOT NULL,
	`status` text NOT NULL,
	`name` text,
	`offset` integer,
	`header_bytes` integer,
	`compressed_bytes` integer,
	`size_bytes` integer,
	`modified_at_ms` integer,
	`crc32` integer,
	`method` integer,
	`durable_bytes` integer,
	`etag` text,
	`error` text,
	PRIMARY KEY(`job_id`, `position`),
	FOREIGN KEY (`job_id`,`position`) REFERENCES `sources`(`job_id`,`position`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`zip_filename` text NOT NULL,
	`expires_in_seconds` integer NOT NULL,
	`fail_on_url_error` integer NOT NULL,
	`skip_failed` integer DEFAULT false NOT NULL,
	`as_files` integer NOT NULL,
	`metadata` text NOT NULL,
	`url_count` integer NOT NULL,
	`file_count` integer DEFAULT 0 NOT NULL,
	`zip_bytes` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`expires_at` integer,
	`swept_at` integer,
	`failure_code` text,
	`failure_message` text,
	`claim` integer DEFAULT 0 NOT NULL,
	`slide_from` integer,
	`slide_to` integer,
	`slide_by` integer,
	`slide_moved_bytes` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `jobs_newest_first` ON `jobs` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_by_status` ON `jobs` (`user_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_to_sweep` ON `jobs` (`expires_at`) WHERE swept_at IS NULL AND expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`digest` blob PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `sources` (
	`job_id` text NOT NULL,
	`position` integer NOT NULL,
	`url` text NOT NULL,
	`filename` text,
	PRIMARY KEY(`job_id`, `position`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL,
	`signed_in_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_name_unique` ON `users` (`name`);
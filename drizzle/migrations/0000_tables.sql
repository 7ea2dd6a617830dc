CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`digest` blob NOT NULL,
	`prefix` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`max_idle_ms` integer,
	`is_from_file` integer DEFAULT false NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_digest_unique` ON `api_keys` (`digest`);
--> statement-breakpoint
CREATE INDEX `api_keys_of_user` ON `api_keys` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `api_keys_revoked` ON `api_keys` (`revoked_at`) WHERE revoked_at IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `detail_deletions` (
	`job_id` text PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `entries` (
	`job_id` text NOT NULL,
	`position` integer NOT NULL,
	`status` text NOT NULL,
	`name` text,
	`likely_name` text,
	`offset` integer,
	`header_bytes` integer,
	`compressed_bytes` integer,
	`size_bytes` integer,
	`modified_at_ms` integer,
	`crc32` integer,
	`sha256` blob,
	`fetched` text,
	`method` integer,
	`stretches` text,
	`etag` text,
	`has_last_modified` integer,
	`final_url_hash` text,
	`is_reused` integer,
	`kept_from` integer,
	`change` text,
	`error` text,
	`warning_code` text,
	`warning_message` text,
	PRIMARY KEY(`job_id`, `position`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `file_deletions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_id` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `file_deletions_of_job` ON `file_deletions` (`job_id`);
--> statement-breakpoint
CREATE TABLE `instance` (
	`id` text PRIMARY KEY NOT NULL,
	`served_at` integer,
	`backed_up_at` integer,
	`backup_bytes` integer,
	`archives_dir` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `job_counts` (
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`user_id`, `status`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `job_logins` (
	`job_id` text PRIMARY KEY NOT NULL,
	`uses_sites` integer NOT NULL,
	`header_names` text NOT NULL,
	`sealed` blob,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`zip_filename` text NOT NULL,
	`expires_in_seconds` integer NOT NULL,
	`fail_on_url_error` integer NOT NULL,
	`fail_on_warning` integer DEFAULT false NOT NULL,
	`has_manifest` integer DEFAULT false NOT NULL,
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
	`details` text DEFAULT 'kept' NOT NULL,
	`failure_code` text,
	`failure_message` text,
	`claim` integer DEFAULT 0 NOT NULL,
	`crashes` integer DEFAULT 0 NOT NULL,
	`move_from` integer,
	`move_to` integer,
	`move_by` integer,
	`moved_bytes` integer,
	`copy_offset` integer,
	`copy_bytes` integer,
	`settled_bytes` integer DEFAULT 0 NOT NULL,
	`edition` integer DEFAULT 0 NOT NULL,
	`link_id` text NOT NULL,
	`holds_link` integer DEFAULT true NOT NULL,
	`base_job_id` text,
	`base_reuse` text,
	`keeps_gone` integer DEFAULT false NOT NULL,
	`schedule_id` text,
	`changes` text,
	`reused_count` integer DEFAULT 0 NOT NULL,
	`warning_count` integer DEFAULT 0 NOT NULL,
	`object_name` text,
	`database_bytes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `jobs_newest_first` ON `jobs` (`user_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `jobs_by_status` ON `jobs` (`user_id`,`status`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `jobs_by_cancellation` ON `jobs` (`user_id`,(failure_code IS 'CANCELLED'),`created_at`,`id`) WHERE status = 'failed';
--> statement-breakpoint
CREATE INDEX `jobs_by_link` ON `jobs` (`link_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `jobs_to_forget` ON `jobs` (`details`,`expires_at`) WHERE swept_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `jobs_of_schedule` ON `jobs` (`schedule_id`,`created_at`,`id`) WHERE schedule_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `jobs_to_sweep` ON `jobs` (`expires_at`) WHERE swept_at IS NULL AND expires_at IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `object_deletions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_name` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `retention_periods` (
	`id` integer PRIMARY KEY NOT NULL,
	`job_id` text NOT NULL,
	`user_id` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`stored_at` integer NOT NULL,
	`removed_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `retention_periods_by_end` ON `retention_periods` (`user_id`,`removed_at`,`stored_at`,`size_bytes`);
--> statement-breakpoint
CREATE INDEX `retention_periods_by_start` ON `retention_periods` (`user_id`,`stored_at`,`size_bytes`);
--> statement-breakpoint
CREATE INDEX `retention_periods_of_job` ON `retention_periods` (`job_id`);
--> statement-breakpoint
CREATE TABLE `schedule_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`schedule_id` text NOT NULL,
	`job_id` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`status` text NOT NULL,
	`failure_code` text,
	`failure_message` text,
	`changes` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `schedule_runs_newest_first` ON `schedule_runs` (`schedule_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `schedule_runs_of_job` ON `schedule_runs` (`job_id`) WHERE job_id IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `schedule_sources` (
	`schedule_id` text NOT NULL,
	`position` integer NOT NULL,
	`url` text NOT NULL,
	`filename` text,
	`sha256` blob,
	PRIMARY KEY(`schedule_id`, `position`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`paused_reason` text,
	`interval` text,
	`cron` text NOT NULL,
	`time_zone` text NOT NULL,
	`next_run_at` integer,
	`last_due_at` integer,
	`failed_runs` integer DEFAULT 0 NOT NULL,
	`keep` integer NOT NULL,
	`reuses` integer NOT NULL,
	`on_gone` text NOT NULL,
	`zip_name` text NOT NULL,
	`fail_on_url_error` integer NOT NULL,
	`fail_on_warning` integer NOT NULL,
	`has_manifest` integer NOT NULL,
	`metadata` text NOT NULL,
	`uses_sites` integer NOT NULL,
	`header_names` text NOT NULL,
	`sealed_headers` blob,
	`as_files` integer NOT NULL,
	`url_count` integer NOT NULL,
	`page_url` text,
	`page_kind` text,
	`page_match` text,
	`created_at` integer NOT NULL,
	`database_bytes` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `schedules_of_user` ON `schedules` (`user_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `schedules_due` ON `schedules` (`next_run_at`) WHERE next_run_at IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`digest` blob PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `sites` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text,
	`origin` text NOT NULL,
	`include_subdomains` integer NOT NULL,
	`header_names` text NOT NULL,
	`sealed` blob NOT NULL,
	`is_shared` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`refused_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `sites_of_user` ON `sites` (`user_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `sites_shared` ON `sites` (`created_at`,`id`) WHERE is_shared;
--> statement-breakpoint
CREATE TABLE `sources` (
	`job_id` text NOT NULL,
	`position` integer NOT NULL,
	`url` text NOT NULL,
	`filename` text,
	`sha256` blob,
	`base_position` integer,
	PRIMARY KEY(`job_id`, `position`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_hours` (
	`user_id` text NOT NULL,
	`hour` integer NOT NULL,
	`bytes` integer NOT NULL,
	`low_byte_ms` integer NOT NULL,
	`high_byte_ms` integer NOT NULL,
	PRIMARY KEY(`user_id`, `hour`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL,
	`signed_in_at` integer,
	`database_bytes` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_name_unique` ON `users` (`name`);
--> statement-breakpoint
CREATE TABLE `notifier_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`notifier_id` text NOT NULL,
	`event_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`response_status` integer,
	`error` text,
	`created_at` integer NOT NULL,
	`last_attempt_at` integer,
	`next_attempt_at` integer,
	FOREIGN KEY (`notifier_id`) REFERENCES `notifiers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`event_id`) REFERENCES `notifier_events`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `notifier_deliveries_newest_first` ON `notifier_deliveries` (`notifier_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `notifier_deliveries_pending` ON `notifier_deliveries` (`notifier_id`,`next_attempt_at`) WHERE status = 'pending';
--> statement-breakpoint
CREATE INDEX `notifier_deliveries_of_event` ON `notifier_deliveries` (`event_id`);
--> statement-breakpoint
CREATE TABLE `notifier_events` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`job_id` text,
	`snapshot` text,
	`created_at` integer NOT NULL,
	`database_bytes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `notifier_events_of_user` ON `notifier_events` (`user_id`);
--> statement-breakpoint
CREATE INDEX `notifier_events_by_age` ON `notifier_events` (`created_at`);
--> statement-breakpoint
CREATE TABLE `notifier_old_secrets` (
	`notifier_id` text NOT NULL,
	`secret` text NOT NULL,
	`signs_until` integer NOT NULL,
	PRIMARY KEY(`notifier_id`, `secret`),
	FOREIGN KEY (`notifier_id`) REFERENCES `notifiers`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `notifiers` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`origin` text NOT NULL,
	`events` text NOT NULL,
	`secret` text,
	`sealed_token` blob,
	`created_at` integer NOT NULL,
	`failing_since` integer,
	`disabled_at` integer,
	`disabled_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `notifiers_of_user` ON `notifiers` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE TRIGGER `delete_files_of_swept_job` AFTER UPDATE OF `swept_at` ON `jobs` WHEN OLD.`swept_at` IS NULL AND NEW.`swept_at` IS NOT NULL BEGIN
	INSERT INTO `file_deletions` (`job_id`) VALUES (NEW.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `delete_files_of_deleted_job` AFTER DELETE ON `jobs` WHEN OLD.`swept_at` IS NULL BEGIN
	INSERT INTO `file_deletions` (`job_id`) VALUES (OLD.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `delete_details_of_deleted_job` AFTER DELETE ON `jobs` WHEN EXISTS (SELECT 1 FROM `sources` WHERE `job_id` = OLD.`id`) BEGIN
	INSERT INTO `detail_deletions` (`job_id`) VALUES (OLD.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `forget_headers_of_completed_job` AFTER UPDATE OF `status`, `swept_at` ON `jobs` WHEN NEW.`status` = 'completed' AND (NEW.`swept_at` IS NOT NULL OR (NEW.`warning_count` = 0 AND NEW.`file_count` >= NEW.`url_count`)) BEGIN
	UPDATE `job_logins` SET `sealed` = NULL WHERE `job_id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `delete_logins_without_details` AFTER UPDATE OF `details` ON `jobs` WHEN NEW.`details` <> 'kept' BEGIN
	DELETE FROM `job_logins` WHERE `job_id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_created_job` AFTER INSERT ON `jobs` BEGIN
	INSERT INTO `job_counts` VALUES (NEW.`user_id`, NEW.`status`, 1, NEW.`failure_code` IS 'CANCELLED')
		ON CONFLICT DO UPDATE SET `total` = `total` + 1, `cancelled` = `cancelled` + excluded.`cancelled`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_changed_job` AFTER UPDATE OF `status` ON `jobs` WHEN OLD.`status` <> NEW.`status` BEGIN
	UPDATE `job_counts` SET `total` = `total` - 1, `cancelled` = `cancelled` - (OLD.`failure_code` IS 'CANCELLED')
		WHERE `user_id` = OLD.`user_id` AND `status` = OLD.`status`;
	INSERT INTO `job_counts` VALUES (NEW.`user_id`, NEW.`status`, 1, NEW.`failure_code` IS 'CANCELLED')
		ON CONFLICT DO UPDATE SET `total` = `total` + 1, `cancelled` = `cancelled` + excluded.`cancelled`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_deleted_job` AFTER DELETE ON `jobs` BEGIN
	UPDATE `job_counts` SET `total` = `total` - 1, `cancelled` = `cancelled` - (OLD.`failure_code` IS 'CANCELLED')
		WHERE `user_id` = OLD.`user_id` AND `status` = OLD.`status`;
END;
--> statement-breakpoint
CREATE TRIGGER `delete_replaced_object` AFTER UPDATE OF `object_name` ON `jobs` WHEN OLD.`object_name` IS NOT NULL AND NEW.`object_name` IS NOT OLD.`object_name` BEGIN
	INSERT INTO `object_deletions` (`object_name`) VALUES (OLD.`object_name`);
END;
--> statement-breakpoint
CREATE TRIGGER `delete_object_of_swept_job` AFTER UPDATE OF `swept_at` ON `jobs` WHEN OLD.`swept_at` IS NULL AND NEW.`swept_at` IS NOT NULL AND NEW.`object_name` IS NOT NULL BEGIN
	INSERT INTO `object_deletions` (`object_name`) VALUES (NEW.`object_name`);
END;
--> statement-breakpoint
CREATE TRIGGER `delete_object_of_deleted_job` AFTER DELETE ON `jobs` WHEN OLD.`swept_at` IS NULL AND OLD.`object_name` IS NOT NULL BEGIN
	INSERT INTO `object_deletions` (`object_name`) VALUES (OLD.`object_name`);
END;
--> statement-breakpoint
CREATE TRIGGER `count_begun_retention` AFTER INSERT ON `retention_periods` BEGIN
	INSERT INTO `usage_hours`
		SELECT NEW.`user_id`, `at` / 3600000, `sign` * NEW.`size_bytes`,
			`sign` * (NEW.`size_bytes` & 1048575) * (`at` % 3600000), `sign` * (NEW.`size_bytes` >> 20) * (`at` % 3600000)
		FROM (SELECT NEW.`stored_at` AS `at`, 1 AS `sign` UNION ALL SELECT NEW.`removed_at`, -1) WHERE true
		ON CONFLICT DO UPDATE SET `bytes` = `bytes` + excluded.`bytes`,
			`low_byte_ms` = `low_byte_ms` + excluded.`low_byte_ms`,
			`high_byte_ms` = `high_byte_ms` + excluded.`high_byte_ms`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_shortened_retention` AFTER UPDATE OF `removed_at` ON `retention_periods` BEGIN
	INSERT INTO `usage_hours`
		SELECT NEW.`user_id`, `at` / 3600000, `sign` * NEW.`size_bytes`,
			`sign` * (NEW.`size_bytes` & 1048575) * (`at` % 3600000), `sign` * (NEW.`size_bytes` >> 20) * (`at` % 3600000)
		FROM (SELECT OLD.`removed_at` AS `at`, 1 AS `sign` UNION ALL SELECT NEW.`removed_at`, -1) WHERE true
		ON CONFLICT DO UPDATE SET `bytes` = `bytes` + excluded.`bytes`,
			`low_byte_ms` = `low_byte_ms` + excluded.`low_byte_ms`,
			`high_byte_ms` = `high_byte_ms` + excluded.`high_byte_ms`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_created_job` AFTER INSERT ON `jobs` BEGIN
	UPDATE `users` SET `database_bytes` = `database_bytes` + NEW.`database_bytes` WHERE `id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_changed_job` AFTER UPDATE OF `database_bytes` ON `jobs` BEGIN
	UPDATE `users` SET `database_bytes` = `database_bytes` + NEW.`database_bytes` - OLD.`database_bytes` WHERE `id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_deleted_job` AFTER DELETE ON `jobs` BEGIN
	UPDATE `users` SET `database_bytes` = `database_bytes` - OLD.`database_bytes` WHERE `id` = OLD.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_created_event` AFTER INSERT ON `notifier_events` BEGIN
	UPDATE `users` SET `database_bytes` = `database_bytes` + NEW.`database_bytes` WHERE `id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_deleted_event` AFTER DELETE ON `notifier_events` BEGIN
	UPDATE `users` SET `database_bytes` = `database_bytes` - OLD.`database_bytes` WHERE `id` = OLD.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_created_schedule` AFTER INSERT ON `schedules` BEGIN
	UPDATE users SET database_bytes = database_bytes + NEW.database_bytes WHERE id = NEW.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_changed_schedule` AFTER UPDATE OF `database_bytes` ON `schedules` BEGIN
	UPDATE users SET database_bytes = database_bytes + NEW.database_bytes - OLD.database_bytes WHERE id = NEW.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_deleted_schedule` AFTER DELETE ON `schedules` BEGIN
	UPDATE users SET database_bytes = database_bytes - OLD.database_bytes WHERE id = OLD.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER `delete_parts_of_deleted_schedule` AFTER DELETE ON `schedules` BEGIN
	DELETE FROM schedule_sources WHERE schedule_id = OLD.id;
	DELETE FROM schedule_runs WHERE schedule_id = OLD.id;
	UPDATE jobs SET schedule_id = NULL WHERE schedule_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_begun_retention` AFTER INSERT ON `retention_periods` BEGIN
	UPDATE `users` SET `database_bytes` = `database_bytes` + 400 WHERE `id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_deleted_retention` AFTER DELETE ON `retention_periods` BEGIN
	UPDATE `users` SET `database_bytes` = `database_bytes` - 400 WHERE `id` = OLD.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_created_site` AFTER INSERT ON `sites` BEGIN
	UPDATE `users` SET `database_bytes` = `database_bytes` + 300 + octet_length(NEW.`origin`) + octet_length(NEW.`header_names`) + octet_length(NEW.`sealed`) + coalesce(octet_length(NEW.`name`), 0) WHERE `id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_changed_site` AFTER UPDATE OF `origin`, `header_names`, `sealed`, `name` ON `sites` BEGIN
	UPDATE `users` SET `database_bytes` = `database_bytes`
		+ (300 + octet_length(NEW.`origin`) + octet_length(NEW.`header_names`) + octet_length(NEW.`sealed`) + coalesce(octet_length(NEW.`name`), 0))
		- (300 + octet_length(OLD.`origin`) + octet_length(OLD.`header_names`) + octet_length(OLD.`sealed`) + coalesce(octet_length(OLD.`name`), 0))
		WHERE `id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_bytes_of_deleted_site` AFTER DELETE ON `sites` BEGIN
	UPDATE `users` SET `database_bytes` = `database_bytes` - (300 + octet_length(OLD.`origin`) + octet_length(OLD.`header_names`) + octet_length(OLD.`sealed`) + coalesce(octet_length(OLD.`name`), 0)) WHERE `id` = OLD.`user_id`;
END;
--> statement-breakpoint
INSERT INTO `instance` (`id`) VALUES (lower(hex(randomblob(16))));

ALTER TABLE `entries` ADD `likely_name` text;--> statement-breakpoint
ALTER TABLE `entries` ADD `has_last_modified` integer;--> statement-breakpoint
ALTER TABLE `entries` ADD `final_url_hash` text;--> statement-breakpoint
ALTER TABLE `entries` ADD `is_reused` integer;--> statement-breakpoint
ALTER TABLE `jobs` ADD `base_job_id` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `base_reuse` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `reused_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `base_position` integer;
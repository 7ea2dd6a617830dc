ALTER TABLE `job_counts` ADD `cancelled` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `job_counts` SET `cancelled` = (SELECT count(*) FROM `jobs` WHERE `jobs`.`user_id` = `job_counts`.`user_id` AND `jobs`.`status` = `job_counts`.`status` AND `failure_code` IS 'CANCELLED');
--> statement-breakpoint
CREATE INDEX `jobs_by_cancellation` ON `jobs` (`user_id`,(failure_code IS 'CANCELLED'),`created_at`,`id`) WHERE status = 'failed';
--> statement-breakpoint
DROP TRIGGER `count_created_job`;
--> statement-breakpoint
DROP TRIGGER `count_changed_job`;
--> statement-breakpoint
DROP TRIGGER `count_deleted_job`;
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
